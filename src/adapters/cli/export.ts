import path from "node:path";
import { AgentAppConfigurationError, InvalidRequestError } from "../../application/errors.js";
import type { ExportFormat } from "../../application/export/export-formats.js";
import { findingsNamed } from "../../application/export/findings-named.js";
import type { SessionKey } from "../../application/ports/session-store.js";
import type { InspectorUseCases } from "../../application/questions/use-cases.js";
import { visibleJson } from "../../domain/text/visible-text.js";
import { progressOf, reportOf, sizeText, type WantedFile } from "./export-report.js";
import { FAILED } from "./filter-option.js";
import { findingsText, maskedReview } from "./findings-text.js";
import { findSession, type HistoriesOptions, withHistories } from "./histories.js";
import { statOf } from "./known-sources.js";
import type { CommandContext } from "./parts.js";
import { CommandLineError, type Ending, onStop, print, type StopSignal } from "./terminal.js";
import { refuseExisting, writeWholeFile } from "./write-file.js";

export interface ExportOptions extends HistoriesOptions {
  /** Default is by the ending of the file, else HTML. */
  readonly format?: ExportFormat | undefined;
  readonly only?: string | undefined;
  /** The file; `-` is standard output. */
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
  /** `false` looks for nothing. One of both has to be said. */
  readonly redact?: "strict" | false | undefined;
  readonly keep?: readonly string[] | undefined;
  /** Whether what would be removed is printed, and nothing written. */
  readonly findings?: boolean | undefined;
  readonly showValues?: boolean | undefined;
}

const SAY_HOW =
  "Say what becomes of secrets and personal data in it: --redact strict removes all that is found, --no-redact looks for nothing. " +
  "--findings prints what would be removed.";

/** What can act on a terminal is written to no terminal. */
const NO_TERMINAL = "Name a file with -o FILE, or send it on to a program: -o - | …";

const FORMATS: { readonly [ending: string]: ExportFormat } = {
  ".html": "html",
  ".htm": "html",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".md": "markdown",
};

/**
 * Writes sessions as a file, or prints what would be removed from it.
 *
 * @param named sessions, and behind them the paths of histories: they begin with the first that there is on this machine
 * @returns 0 where it is written, or nothing was found; 1 where something was; or the signal that stopped it
 * @throws CommandLineError with exit code 2
 */
export async function exportHistories(
  context: CommandContext,
  named: readonly string[],
  options: ExportOptions,
): Promise<Ending> {
  const stopped = new AbortController();
  let stoppedBy: StopSignal | undefined;
  onStop(context.terminal, (signal) => {
    stoppedBy = signal;
    stopped.abort();
  });
  try {
    const wanted = await wantedOf(context, options);
    const { sessions, paths } = await splitNamed(named);
    let ending = 0;
    await withHistories(context, paths, options, async (useCases, ended) => {
      const signal = AbortSignal.any([ended, stopped.signal]);
      const keys: SessionKey[] = [];
      for (const name of sessions) {
        const { tenantId, sessionId } = await findSession(useCases, name, signal);
        keys.push({ tenantId, sessionId });
      }
      const run = { context, useCases, options, keys, signal };
      if (wanted === undefined) ending = await printFindings(run);
      else await writeExport(run, wanted);
    });
    return stoppedBy ?? ending;
  } catch (error) {
    if (stoppedBy !== undefined) return stoppedBy;
    const isOurs = error instanceof CommandLineError || error instanceof AgentAppConfigurationError;
    if (!isOurs) throw error;
    throw new CommandLineError(asTyped(error), { cause: error, exitCode: FAILED });
  }
}

/** A problem with a parameter, by the name of its option. */
function asTyped({ message, cause }: Error): string {
  if (!(cause instanceof InvalidRequestError) || !message.startsWith(cause.parameter)) return message;
  return `--${message}`;
}

interface Run {
  readonly context: CommandContext;
  readonly useCases: InspectorUseCases;
  readonly options: ExportOptions;
  readonly keys: readonly SessionKey[];
  readonly signal: AbortSignal;
}

/** @returns `undefined` where nothing is written */
async function wantedOf(
  { terminal }: CommandContext,
  { output, format, redact, findings, force = false, keep }: ExportOptions,
): Promise<WantedFile | undefined> {
  if (findings) return undefined;
  if (output === undefined)
    throw new CommandLineError("Name the file to write with -o FILE; - is standard output.");
  if (redact === undefined) throw new CommandLineError(SAY_HOW);
  if (redact === false && keep !== undefined)
    throw new CommandLineError("--keep goes with --redact strict: without it, nothing is removed.");
  if (output !== "-") await refuseExisting(output, force);
  else if (terminal.stdout.isTTY) throw new CommandLineError(NO_TERMINAL);
  return { output, format: format ?? formatOf(output), redact: redact || "none" };
}

function formatOf(file: string): ExportFormat {
  const ending = path.extname(file).toLowerCase();
  if (ending === ".json") {
    throw new CommandLineError(`Several formats end in .json. Say which: --format atif or --format otlp.`);
  }
  return FORMATS[ending] ?? "html";
}

async function splitNamed(named: readonly string[]) {
  let sessions = 1;
  while (sessions < named.length && (await statOf(named[sessions]!)) === undefined) sessions++;
  return { sessions: named.slice(0, sessions), paths: named.slice(sessions) };
}

/** @returns 1 where something was found */
async function printFindings({ context, useCases, options, keys, signal }: Run): Promise<number> {
  const { only, json, showValues = false } = options;
  const found = await useCases.reviewExport.execute({ sessions: keys, only }, { signal });
  const review = maskedReview(found, showValues);
  const text = json ? `${visibleJson(JSON.stringify(review))}\n` : findingsText(review);
  await print(context.terminal, text, signal);
  return found.findings.length === 0 ? 0 : 1;
}

async function writeExport(run: Run, { output, format, redact }: WantedFile): Promise<void> {
  const { context, useCases, options, keys, signal } = run;
  const { terminal } = context;
  const { only, keep, force = false } = options;
  const progress = progressOf(context);
  try {
    progress.show(redact === "strict" ? "Looking for secrets and personal data" : "Reading");
    const request = { sessions: keys, only, format, redact };
    const kept = keep === undefined ? {} : await keptOf(run, keep);
    const file = await useCases.exportSession.execute({ ...request, ...kept }, { signal });
    const onProgress = (bytes: number) => progress.show(`Writing: ${sizeText(bytes)}`);
    const bytes =
      output === "-"
        ? await sendTo(terminal.stdout, file.bytes, signal)
        : await writeWholeFile(output, file.bytes, { force, onProgress, signal });
    progress.end();
    const to = output === "-" ? terminal.stderr : terminal.stdout;
    to.write(reportOf(file, { output, format, redact }, bytes, keys.length));
  } finally {
    progress.end();
  }
}

/** Ids are of a revision: that of the session now. */
async function keptOf({ useCases, options, keys, signal }: Run, keep: readonly string[]) {
  const { revision } = await useCases.reviewExport.execute(
    { sessions: keys, only: options.only },
    { signal },
  );
  return { revision, keep: findingsNamed(keep) };
}

async function sendTo(
  output: CommandContext["terminal"]["stdout"],
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  let sent = 0;
  for await (const piece of bytes) {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      output.write(piece, (error) => (error ? reject(error) : resolve()));
    });
    sent += piece.length;
  }
  return sent;
}
