import { styleText } from "node:util";
import { SessionNotFoundError } from "../../application/errors.js";
import type { InspectorUseCases } from "../../application/questions/endpoints.js";
import type { SearchAnswer, SearchRequest } from "../../application/search/search-answer.js";
import type { SearchHit } from "../../domain/search/search-hit.js";
import { type ContentKind, DEFAULT_KINDS, parseSearchQuery } from "../../domain/search/search-query.js";
import { visibleJson, visibleText } from "../../domain/text/visible-text.js";
import { checkFilter, FAILED } from "./filter-option.js";
import { isExplained, type NamedOptions, readHistories } from "./histories.js";
import type { CommandContext } from "./parts.js";
import { CommandLineError, type Ending, onStop, print, type StopSignal, type Terminal } from "./terminal.js";
import { redrawn } from "./text.js";

export interface SearchOptions extends NamedOptions {
  /** Whether hits are lines of JSON. */
  readonly json?: boolean | undefined;
  readonly in?: readonly ContentKind[] | undefined;
  readonly tenant?: string | undefined;
  readonly session?: string | undefined;
  /** Only sessions that it means. */
  readonly filter?: string | undefined;
  /** How many hits at most. Default is all. */
  readonly limit?: number | undefined;
}

/** What a script is told, as by `grep`; besides, that it failed. */
const FOUND = 0;
const NOTHING = 1;

/** How many hits are asked for at a time. */
const HITS_AT_ONCE = 100;

/**
 * Prints every hit of a search, a line each. It ends as soon as nobody reads what it prints any more, and at the first signal.
 *
 * @returns the exit code: 0 where something was found, 1 where nothing was; or the signal that stopped it
 * @throws CommandLineError with exit code 2
 */
export async function searchHistories(
  context: CommandContext,
  typed: string,
  paths: readonly string[],
  options: SearchOptions,
): Promise<Ending> {
  const { parts, terminal } = context;
  checkFilter(options.filter);
  const stop = new AbortController();
  let stoppedBy: StopSignal | undefined;
  onStop(terminal, (signal) => {
    stoppedBy = signal;
    stop.abort();
  });
  terminal.stdout.on("error", () => stop.abort());
  const reading = { ...options, open: {}, prices: await parts.pricesOf(undefined), signal: stop.signal };
  let exitCode = FOUND;
  try {
    exitCode = await readHistories(context, paths, reading, async ({ searchRecords }, signal, opened) => {
      const { description, details = [] } = opened;
      if (terminal.stderr.isTTY)
        terminal.stderr.write([`Searching ${description}`, ...details, ""].join("\n"));
      const hits = await printHits(terminal, searchRecords, typed, options, signal);
      return hits === 0 ? NOTHING : FOUND;
    });
  } catch (error) {
    if (!stop.signal.aborted) throw explained(error);
  }
  return stoppedBy ?? exitCode;
}

/** @returns how many hits there were */
async function printHits(
  terminal: Terminal,
  search: InspectorUseCases["searchRecords"],
  typed: string,
  { json, limit = Number.POSITIVE_INFINITY, ...options }: SearchOptions,
  signal: AbortSignal,
): Promise<number> {
  const { stdout, stderr } = terminal;
  const request = requestOf(typed, options);
  const style = stdout.isTTY && !process.env.NO_COLOR ? COLOURS : PLAIN;
  /** On a terminal only. */
  const showProgress = (text: string) => {
    if (stderr.isTTY) stderr.write(redrawn(text));
  };
  const notes = new Set<string>();
  let found = 0;
  let cursor: string | undefined;
  do {
    const most = Math.min(HITS_AT_ONCE, limit - found);
    const answer = await search.execute({ ...request, limit: most, cursor }, { signal });
    showProgress("");
    for (const hit of answer.hits) await print(terminal, json ? hitJson(hit) : hitLine(hit, style), signal);
    for (const note of answer.notes ?? []) if (!notes.has(note)) stderr.write(`${visibleText(note)}\n`);
    for (const note of answer.notes ?? []) notes.add(note);
    found += answer.hits.length;
    cursor = answer.nextCursor ?? undefined;
    if (cursor !== undefined) showProgress(progressText(answer));
  } while (cursor !== undefined && found < limit);
  showProgress("");
  return found;
}

function requestOf(
  typed: string,
  { session, tenant, filter, in: kinds = DEFAULT_KINDS }: SearchOptions,
): SearchRequest {
  const query = parseSearchQuery(typed);
  if (query === undefined) throw new CommandLineError("Name what to look for.");
  const tenantId = tenant ?? (session === undefined ? undefined : "default");
  return { query, tenantId, sessionId: session, kinds, filter, limit: HITS_AT_ONCE };
}

function progressText({ searched, total }: SearchAnswer): string {
  const sessions = `${searched.sessions ?? 0} of ${total.sessions ?? "?"} sessions`;
  if (searched.bytes === undefined || total.bytes === undefined) return `Searched ${sessions}`;
  const [done, all] = [searched.bytes, total.bytes].map((bytes) => (bytes / 1_000_000).toFixed(1));
  return `Searched ${sessions}, ${done} of ${all} MB`;
}

/** What the user can act on, in one line; anything else with its stack. Whatever it is, it is not that nothing was found. */
function explained(error: unknown): CommandLineError {
  const options = { cause: error, exitCode: FAILED };
  if (error instanceof SessionNotFoundError) {
    const { sessionId, tenantId } = error;
    const message = `There is no session "${visibleText(sessionId)}" in tenant "${visibleText(tenantId)}". Name its tenant with --tenant.`;
    return new CommandLineError(message, options);
  }
  const isForUser = error instanceof CommandLineError || isExplained(error);
  const { message, stack } = error as Error;
  return new CommandLineError(isForUser ? message.replace(/^q /, "The query ") : `${stack}`, options);
}

/** How parts of a line are told apart in files and pipes: only the match is marked. */
export const PLAIN = {
  faint: (text: string) => text,
  kind: (text: string) => text,
  match: (text: string) => `»${text}«`,
};

const COLOURS: typeof PLAIN = {
  faint: (text) => styleText("dim", text),
  kind: (text) => styleText("cyan", text),
  match: (text) => styleText(["bold", "red"], text),
};

/** A hit in one line: session, instant, kind, tool, and the text around the match. */
export function hitLine(
  { tenantId, sessionId, timestamp, toolName, snippet, ...hit }: SearchHit,
  style: typeof PLAIN,
): string {
  const { text, start, end } = snippet;
  const part = (from: number, to?: number) => visibleText(text.slice(from, to));
  const fields = [
    style.faint(visibleText(`${tenantId}/${sessionId}`)),
    style.faint(visibleText(timestamp ?? "-")),
    style.kind(toolName === undefined ? hit.in : `${hit.in} ${visibleText(toolName)}`),
    part(0, start) + style.match(part(start, end)) + part(end),
  ];
  return `${fields.join("  ")}\n`;
}

/** A hit as a line of JSON. */
export function hitJson(hit: SearchHit): string {
  return `${visibleJson(JSON.stringify(hit))}\n`;
}
