import path from "node:path";
import { AgentAppConfigurationError } from "../../../application/errors.js";
import type { ExportFormat } from "../../../application/export/export-formats.js";
import { findingsNamed } from "../../../application/export/findings-named.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { formatBytes } from "../../../domain/text/figures.js";
import { visibleJson } from "../../../domain/text/visible-text.js";
import { findSession } from "../opening/find-session.js";
import { type HistoriesOptions, type UseHistories, withHistories } from "../opening/histories.js";
import type { CommandContext } from "../opening/parts.js";
import { placesOf } from "../opening/place-sources.js";
import { progressOf } from "../opening/progress.js";
import { statOf, supportedSource } from "../opening/supported-sources.js";
import { reportOf, type WantedFile } from "../text/export-report.js";
import { findingsText, maskedReview } from "../text/findings-text.js";
import {
  CommandLineError,
  type Ending,
  orExplain,
  print,
  printText,
  type Terminal,
  untilStopped,
} from "../text/terminal.js";
import { refuseExisting, writeCompleteFile } from "./write-file.js";

export interface ExportOptions extends HistoriesOptions {
  /** Default depends on the extension of the file, else HTML. */
  readonly format?: ExportFormat | undefined;
  readonly only?: string | undefined;
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
  /** `false` removes nothing. One of the two options is required. */
  readonly redact?: "strict" | false | undefined;
  readonly keep?: readonly string[] | undefined;
  readonly findings?: boolean | undefined;
  readonly showValues?: boolean | undefined;
}

const SAY_HOW =
  "Select how to treat secrets and personal data: --redact strict removes all findings, --no-redact checks nothing. " +
  "--findings prints the findings.";

const NO_TERMINAL = "Name a file with -o FILE, or pipe it to a program: -o - | …";

const FORMATS: { readonly [ending: string]: ExportFormat } = {
  ".html": "html",
  ".htm": "html",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".md": "markdown",
};

/**
 * @param names sessions, and after them the paths of histories
 * @returns 0 for a written file or no findings, 1 for findings, or the signal that stopped it
 * @throws CommandLineError for contradictory options, sessions that do not exist, and a file that cannot be written
 */
export async function exportHistories(
  context: CommandContext,
  names: readonly string[],
  options: ExportOptions,
): Promise<Ending> {
  const wanted = await wantedOf(context, options);
  const { sessions, paths, problems } = await splitNames(context, names, options);
  const use: UseHistories<number> = async (useCases, signal) => {
    const keys: SessionKey[] = [];
    for (const name of sessions) {
      try {
        const { tenantId, sessionId } = await findSession(useCases, name, signal);
        keys.push({ tenantId, sessionId });
      } catch (error) {
        throw problems.get(name) ?? error;
      }
    }
    const run = { context, useCases, options, keys, signal };
    if (wanted === undefined) return printFindings(run);
    await writeExport(run, wanted);
    return 0;
  };
  return untilStopped(context.terminal, (stop) =>
    orExplain(
      () => withHistories(context, paths, options, use, stop),
      (error) => (error instanceof AgentAppConfigurationError ? error.message : undefined),
    ),
  );
}

interface Run {
  readonly context: CommandContext;
  readonly useCases: InspectorUseCases;
  readonly options: ExportOptions;
  readonly keys: readonly SessionKey[];
  readonly signal: AbortSignal;
}

async function wantedOf(
  { terminal }: CommandContext,
  { output, format, redact, findings, force = false, keep, showValues, json }: ExportOptions,
): Promise<WantedFile | undefined> {
  if (findings) return undefined;
  if (showValues || json)
    throw new CommandLineError(`--${json ? "json" : "show-values"} goes with --findings.`);
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

async function splitNames({ parts }: CommandContext, names: readonly string[], { source }: ExportOptions) {
  const sources = parts.sources();
  const kind = source === undefined ? undefined : supportedSource(sources, source);
  const problems = new Map<string, CommandLineError>();
  let end = 1;
  for (; end < names.length; end++) {
    const name = names[end]!;
    if (/^\.{0,2}\//.test(name)) break;
    if ((await statOf(name)) === undefined) continue;
    try {
      await placesOf(name, sources, kind);
      break;
    } catch (error) {
      if (!(error instanceof CommandLineError)) throw error;
      problems.set(name, error);
    }
  }
  return { sessions: names.slice(0, end), paths: names.slice(end), problems };
}

async function printFindings({ context, useCases, options, keys, signal }: Run): Promise<number> {
  const { only, json, showValues = false } = options;
  const matches = await useCases.reviewExport.execute({ sessions: keys, only }, { signal });
  const review = maskedReview(matches, showValues);
  if (json) await print(context.terminal, `${visibleJson(JSON.stringify(review))}\n`, signal);
  else await printText(context.terminal, findingsText(review), signal);
  return matches.findings.length === 0 ? 0 : 1;
}

async function writeExport(run: Run, { output, format, redact }: WantedFile): Promise<void> {
  const { context, useCases, options, keys, signal } = run;
  const { terminal } = context;
  const { only, keep, force = false } = options;
  const progress = progressOf(context);
  try {
    progress.show(redact === "strict" ? "Looking for secrets and personal data" : "Reading");
    const request = { sessions: keys, only, format, redact };
    const exceptions = keep === undefined ? {} : await exceptionsOf(run, keep);
    const file = await useCases.exportSession.execute({ ...request, ...exceptions }, { signal });
    const onProgress = (bytes: number) => progress.show(`Writing: ${formatBytes(bytes)}`);
    const bytes =
      output === "-"
        ? await sendTo(terminal, file.bytes, signal)
        : await writeCompleteFile(output, file.bytes, { force, onProgress, signal });
    progress.end();
    const to = output === "-" ? terminal.stderr : terminal.stdout;
    to.write(reportOf(file, { output, format, redact }, bytes, keys.length));
  } finally {
    progress.end();
  }
}

async function exceptionsOf({ useCases, options, keys, signal }: Run, keep: readonly string[]) {
  const { revision } = await useCases.reviewExport.execute(
    { sessions: keys, only: options.only },
    { signal },
  );
  return { revision, keep: findingsNamed(keep) };
}

async function sendTo(
  terminal: Terminal,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  let sent = 0;
  for await (const piece of bytes) {
    await print(terminal, piece, signal);
    sent += piece.length;
  }
  return sent;
}
