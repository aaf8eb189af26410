import { availableParallelism } from "node:os";
import { styleText } from "node:util";
import { ThreadPool } from "../../adapters/files/threads/thread-pool.js";
import {
  InvalidRequestError,
  SessionNotFoundError,
  SourceChangedError,
  SourceUnavailableError,
} from "../../application/errors.js";
import type { SearchAnswer, SearchRequest } from "../../application/search/search-answer.js";
import { type ContentKind, DEFAULT_KINDS, parseSearchQuery } from "../../domain/search/search-query.js";
import { createInspectorContainer, TOKENS } from "../container.js";
import { CommandLineError } from "./command-line-error.js";
import { type HitStyle, hitJson, hitLine, PLAIN } from "./hit-line.js";
import type { OpenedSource, OpenSourceOptions } from "./open-source.js";
import { print } from "./print.js";

export interface SearchOptions {
  /** Whether hits are lines of JSON. */
  readonly json?: boolean | undefined;
  readonly in?: readonly ContentKind[] | undefined;
  readonly tenant?: string | undefined;
  readonly session?: string | undefined;
  /** How many hits at most. Default is all. */
  readonly limit?: number | undefined;
}

/** What a script is told, as by `grep`. */
const FOUND = 0;
const NOTHING = 1;
const FAILED = 2;

/** How many hits are asked for at a time. */
const HITS_AT_ONCE = 100;

const COLOURS: HitStyle = {
  faint: (text) => styleText("dim", text),
  kind: (text) => styleText("cyan", text),
  match: (text) => styleText(["bold", "red"], text),
};

type OpenSearched = (options: OpenSourceOptions) => Promise<OpenedSource>;

/**
 * Prints every hit of a search, a line each, and sets the exit code: 0 where something was found, 1 where nothing was. It ends as
 * soon as nobody reads what it prints any more, and at the first signal.
 *
 * @throws CommandLineError with exit code 2
 */
export async function searchHistories(
  typed: string,
  open: OpenSearched,
  options: SearchOptions,
): Promise<void> {
  const stop = new AbortController();
  let signal: NodeJS.Signals | undefined;
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => {
      signal = name;
      stop.abort();
    });
  }
  process.stdout.on("error", () => stop.abort());
  const pool = new ThreadPool(availableParallelism());
  try {
    const opened = await open({ pool });
    const { description, details = [] } = opened;
    if (process.stderr.isTTY) process.stderr.write([`Searching ${description}`, ...details, ""].join("\n"));
    try {
      process.exitCode = (await printHits(typed, opened, pool, options, stop.signal)) === 0 ? NOTHING : FOUND;
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!stop.signal.aborted) throw explained(error);
  } finally {
    await pool.close();
  }
  if (signal !== undefined) process.kill(process.pid, signal); // nothing listens for it any more
}

/** @returns how many hits there were */
async function printHits(
  typed: string,
  { source }: OpenedSource,
  pool: ThreadPool,
  { json, limit = Number.POSITIVE_INFINITY, ...options }: SearchOptions,
  signal: AbortSignal,
): Promise<number> {
  const search = createInspectorContainer(source, { pool }).resolve(TOKENS.searchRecords);
  const request = requestOf(typed, options);
  const style = process.stdout.isTTY && !process.env.NO_COLOR ? COLOURS : PLAIN;
  const notes = new Set<string>();
  let found = 0;
  let cursor: string | undefined;
  do {
    const most = Math.min(HITS_AT_ONCE, limit - found);
    const answer = await search.execute({ ...request, limit: most, cursor }, { signal });
    showProgress(undefined);
    for (const hit of answer.hits) await print(json ? hitJson(hit) : hitLine(hit, style), signal);
    for (const note of answer.notes ?? []) if (!notes.has(note)) process.stderr.write(`${note}\n`);
    for (const note of answer.notes ?? []) notes.add(note);
    found += answer.hits.length;
    cursor = answer.nextCursor ?? undefined;
    if (cursor !== undefined) showProgress(answer);
  } while (cursor !== undefined && found < limit);
  showProgress(undefined);
  return found;
}

function requestOf(
  typed: string,
  { session, tenant, in: kinds = DEFAULT_KINDS }: SearchOptions,
): SearchRequest {
  const query = parseSearchQuery(typed);
  if (query === undefined) throw new CommandLineError("Name what to look for.");
  const tenantId = tenant ?? (session === undefined ? undefined : "default");
  return { query, tenantId, sessionId: session, kinds, limit: HITS_AT_ONCE };
}

/** On a terminal only; without an answer the line is cleared. */
function showProgress(answer: SearchAnswer | undefined): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r${answer === undefined ? "" : progressText(answer)}\u001b[K`);
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
    const message = `There is no session "${sessionId}" in tenant "${tenantId}". Name its tenant with --tenant.`;
    return new CommandLineError(message, options);
  }
  const isKnown = [CommandLineError, InvalidRequestError, SourceChangedError, SourceUnavailableError].some(
    (known) => error instanceof known,
  );
  const { message, stack } = error as Error;
  return new CommandLineError(isKnown ? message.replace(/^q /, "The query ") : `${stack}`, options);
}
