import { hostname } from "node:os";
import { SourceRefusedError } from "../../../application/errors.js";
import { SOURCE_KEY } from "../../../application/sources/source-part.js";
import { formatBytes, formatCount } from "../../../domain/text/figures.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { type DatabaseOptions, inOneLine } from "../opening/database.js";
import { progressLine, withThreads } from "../opening/histories.js";
import { openSources, type SourceOptions } from "../opening/open-source.js";
import type { CommandContext, CopyProgress, CopyReport, SupportedSource } from "../opening/parts.js";
import { CommandLineError, type Ending, type Output, STOPPED, untilStopped } from "../text/terminal.js";
import { redrawn } from "../text/text.js";

interface ImportCommandOptions extends DatabaseOptions, SourceOptions {
  readonly cache?: boolean | undefined;
}

/**
 * A second call continues at the end of the first.
 * @returns the exit code, or the signal that stopped it. A watch ends with 0, because nothing else ends it
 * @throws CommandLineError if sessions were skipped
 */
export async function importHistories(
  context: CommandContext,
  folders: readonly string[],
  { databaseUrl, source, watch, machine, cache }: ImportCommandOptions,
): Promise<Ending> {
  if (folders.length !== 1 || databaseUrl === undefined) {
    throw new CommandLineError("Name one folder to import and where to: PATH --database-url URL --import.");
  }
  const name = nameOfMachine(machine);
  const { parts, terminal } = context;
  const { stdout, stderr } = terminal;
  const bar = importBar(stderr);
  let isFirst = true;
  const report = ({ sessions, records, bytes, skipped }: CopyReport) => {
    bar.end();
    const written = `${formatCount(records, "new record")}, ${formatBytes(bytes)}.`;
    stdout.write(
      isFirst
        ? `Imported ${formatCount(sessions - skipped.length, "session")}: ${written}\n`
        : `${timeOfDay()}  ${written}\n`,
    );
    for (const { tenantId, sessionId, reason } of skipped) {
      const what = sessionId === "" ? "" : `Session "${sessionId}" of tenant "${tenantId}" `;
      stderr.write(`${visibleText(`${what}${reason}.`)}\n`);
    }
    if (isFirst && watch) stdout.write("Going on as they grow. Stop with Ctrl-C.\n");
    isFirst = false;
  };
  const copy = (signal: AbortSignal) =>
    withThreads(parts, async (pool) => {
      const onProgress = (...progress: Parameters<typeof progressLine>) =>
        void (isFirst && stderr.write(progressLine(...progress)));
      const opened = await openSources(context, folders, { source }, { pool, cache, onProgress });
      try {
        const tenantPrefix = prefixOf(opened.kind, machine === undefined ? undefined : name, name);
        const copied = await inOneLine(() =>
          parts.importSessions(opened.source, {
            connectionString: databaseUrl,
            tenantPrefix,
            watch,
            retryForMs: Number.POSITIVE_INFINITY,
            signal,
            onProgress: (progress) => isFirst && bar.show(progress),
            onImported: report,
            onWaiting(error) {
              bar.end();
              const reason =
                error instanceof SourceRefusedError ? error.message : "The database cannot be reached.";
              stderr.write(`${reason} Waiting for it.\n`);
            },
          }),
        );
        report(copied);
        const { length } = copied.skipped;
        if (length > 0)
          throw new CommandLineError(`${formatCount(length, "session")} could not be imported.`);
        return 0;
      } finally {
        await opened.close();
      }
    });
  const ending = await untilStopped(terminal, copy).finally(bar.end);
  if (typeof ending === "number") return ending;
  (watch ? stdout : stderr).write(`${STOPPED}\n`);
  return watch ? 0 : ending;
}

/** @throws CommandLineError for a name that cannot begin a tenant */
function nameOfMachine(input: string | undefined): string {
  if (input === undefined) {
    const name = hostname()
      .toLowerCase()
      .replaceAll(/[^a-z\d]+/g, "-")
      .replaceAll(/^-|-$/g, "");
    return name === "" ? "machine" : name;
  }
  if (SOURCE_KEY.test(input)) return input;
  throw new CommandLineError(
    `"${visibleText(input)}" is no name of a machine: use small letters, digits and hyphens.`,
  );
}

/**
 * The tenants of a tool's histories are folders of this machine. Those of an application are its own, unless an option names the machine.
 */
function prefixOf(kind: SupportedSource | undefined, input: string | undefined, name: string): string {
  if (kind === undefined || (input === undefined && !kind.isOfMachine)) return "";
  return `${name}:${kind.name}:`;
}

function timeOfDay(): string {
  return new Date().toTimeString().slice(0, 8);
}

interface ImportBar {
  show(progress: CopyProgress): void;
  end(): void;
}

const WIDTH = 30;
const TERMINAL_EVERY_MS = 100;
const FILE_EVERY_MS = 5_000;

export function importBar(
  output: Pick<Output, "isTTY" | "columns"> & { write(text: string): unknown },
  now: () => number = performance.now.bind(performance),
): ImportBar {
  const isTerminal = output.isTTY === true;
  let displayedAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    show(progress) {
      const isLast = progress.sessions === progress.totalSessions;
      if (!isLast && now() - displayedAt < (isTerminal ? TERMINAL_EVERY_MS : FILE_EVERY_MS)) return;
      displayedAt = now();
      isOpen = isTerminal;
      output.write(isTerminal ? redrawn(barText(progress), output.columns) : `${barText(progress)}\n`);
    },
    end() {
      if (isOpen) output.write("\n");
      isOpen = false;
    },
  };
}

function barText({ sessions, totalSessions, records, bytes }: CopyProgress): string {
  const share = totalSessions === 0 ? 1 : sessions / totalSessions;
  const full = Math.floor(share * WIDTH);
  const bar = "#".repeat(full) + "-".repeat(WIDTH - full);
  return `[${bar}] ${sessions} of ${totalSessions} sessions, ${records} records, ${formatBytes(bytes)}`;
}
