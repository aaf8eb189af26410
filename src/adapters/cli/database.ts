import {
  AgentAppConfigurationError,
  RecordingError,
  SourceUnavailableError,
} from "../../application/errors.js";
import { visibleText } from "../../domain/text/visible-text.js";
import { type OpenedSource, openSources, type SourceOptions } from "./open-source.js";
import type { CommandContext, CopyProgress } from "./parts.js";
import { CommandLineError, type Output, onStop, orExplain } from "./terminal.js";
import { redrawn } from "./text.js";

/** The options that concern a database. */
export interface DatabaseOptions {
  readonly databaseUrl?: string | undefined;
  readonly import?: boolean | undefined;
  /** Of `migrate`. */
  readonly searchIndex?: boolean | undefined;
}

/** Opens a database to be served. One query runs first, so that a failure shows now and not to the first client. */
export async function openDatabase(
  { parts }: CommandContext,
  connectionString: string,
): Promise<OpenedSource> {
  const source = await parts.openDatabase(connectionString);
  const close = async () => source.close?.();
  return inOneLine(async () => {
    try {
      await source.findSessions?.({ limit: 1 });
    } catch (error) {
      await close();
      throw error;
    }
    return { source, description: "the database", close };
  });
}

/** Brings the schema of a database up to date, and makes the index for searching texts where it is asked for and can be had. */
export async function migrateDatabase(
  { parts, terminal }: CommandContext,
  { databaseUrl, searchIndex }: DatabaseOptions,
): Promise<void> {
  const { stdout, stderr } = terminal;
  if (databaseUrl === undefined) throw new CommandLineError("Name the database: migrate --database-url URL.");
  const report = await inOneLine(() => parts.migrate({ connectionString: databaseUrl, searchIndex }));
  const { from, to } = report;
  const change = from === to ? `is version ${to} already` : `was version ${from} and is version ${to} now`;
  stdout.write(`The schema ${change}.\n`);
  if (report.searchIndex === undefined) return;
  const { isThere, reason } = report.searchIndex;
  if (isThere) stdout.write("The index for searching texts is there.\n");
  else
    stderr.write(
      `There is no index for searching texts; a search takes longer. ${visibleText(reason ?? "")}\n`,
    );
}

/**
 * Copies a folder into a database. A second call goes on where the first was broken off.
 *
 * @throws CommandLineError where sessions were left out
 */
export async function importFolder(
  context: CommandContext,
  folders: readonly string[],
  { databaseUrl, source }: DatabaseOptions & SourceOptions,
): Promise<void> {
  if (folders.length !== 1 || databaseUrl === undefined) {
    throw new CommandLineError("Name one folder to import and where to: PATH --database-url URL --import.");
  }
  const { parts, terminal } = context;
  const { stdout, stderr } = terminal;
  const stopped = new AbortController();
  onStop(terminal, () => stopped.abort(STOPPED));
  const opened = await openSources(context, folders, { source }, {});
  const bar = importBar(stderr);
  try {
    const report = await inOneLine(() =>
      parts.importSessions(opened.source, {
        connectionString: databaseUrl,
        signal: stopped.signal,
        onProgress: bar.show,
      }),
    );
    bar.end();
    const { sessions, records, bytes, skipped } = report;
    stdout.write(`Imported ${sessions - skipped.length} sessions: ${records} new records, ${bytes} bytes.\n`);
    for (const { tenantId, sessionId, reason } of skipped) {
      stderr.write(`${visibleText(`Session "${sessionId}" of tenant "${tenantId}" ${reason}.`)}\n`);
    }
    if (skipped.length > 0) throw new CommandLineError(`${skipped.length} sessions were not imported.`);
  } finally {
    bar.end();
    await opened.close();
  }
}

const STOPPED = new CommandLineError("Stopped. The same command goes on from here.");

const EXPLAINED = [AgentAppConfigurationError, RecordingError, SourceUnavailableError];

/** Errors with a message for the user, and those that the database server reports, end the process in one line. */
function inOneLine<T>(work: () => Promise<T>): Promise<T> {
  return orExplain(work, (error) => {
    if (!(error instanceof Error)) return undefined;
    if (EXPLAINED.some((known) => error instanceof known)) return error.message;
    return "severity" in error ? `The database refused: ${error.message}.` : undefined;
  });
}

interface ImportBar {
  show(progress: CopyProgress): void;
  /** Leaves the bar as it is, and goes on below it. */
  end(): void;
}

const WIDTH = 30;
const TERMINAL_EVERY_MS = 100;
const FILE_EVERY_MS = 5_000;

/** Draws how far an import is. */
export function importBar(
  output: Pick<Output, "isTTY"> & { write(text: string): unknown },
  now: () => number = performance.now.bind(performance),
): ImportBar {
  const isTerminal = output.isTTY === true;
  let shownAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    show(progress) {
      const isLast = progress.sessions === progress.totalSessions;
      if (!isLast && now() - shownAt < (isTerminal ? TERMINAL_EVERY_MS : FILE_EVERY_MS)) return;
      shownAt = now();
      isOpen = isTerminal;
      output.write(isTerminal ? redrawn(barText(progress)) : `${barText(progress)}\n`);
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
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return `[${bar}] ${sessions} of ${totalSessions} sessions, ${records} records, ${megabytes} MB`;
}
