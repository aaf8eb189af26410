import { SessionNotFoundError } from "../../application/errors.js";
import type { InspectorUseCases } from "../../application/questions/use-cases.js";
import type { SearchRequest } from "../../application/search/search-answer.js";
import { type ContentKind, DEFAULT_KINDS, parseSearchQuery } from "../../domain/search/search-query.js";
import { visibleText } from "../../domain/text/visible-text.js";
import { checkFilter, FAILED } from "./filter-option.js";
import { isExplained, type NamedOptions, readHistories } from "./histories.js";
import type { CommandContext } from "./parts.js";
import { hitJson, hitLine, SearchProgress, styleOf } from "./search-lines.js";
import { printSessions } from "./search-sessions.js";
import { CommandLineError, type Ending, onStop, print, type StopSignal, type Terminal } from "./terminal.js";

export interface SearchOptions extends NamedOptions {
  /** Whether what is found are lines of JSON. */
  readonly json?: boolean | undefined;
  readonly in?: readonly ContentKind[] | undefined;
  readonly tenant?: string | undefined;
  readonly session?: string | undefined;
  /** Only sessions that it means. */
  readonly filter?: string | undefined;
  /** How many sessions at most; of a named one, how many hits. Default is all. */
  readonly limit?: number | undefined;
}

/** What a script is told, as by `grep`; besides, that it failed. */
const FOUND = 0;
const NOTHING = 1;

/** How many hits are asked for at a time. */
const HITS_AT_ONCE = 100;

/**
 * Prints the sessions in which a text is found, each with its first hits; of a session that is named every hit, a line each. It ends as
 * soon as nobody reads what it prints any more, and at the first signal.
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
  const { terminal } = context;
  checkFilter(options.filter);
  const stop = new AbortController();
  let stoppedBy: StopSignal | undefined;
  onStop(terminal, (signal) => {
    stoppedBy = signal;
    stop.abort();
  });
  terminal.stdout.on("error", () => stop.abort());
  const reading = { ...options, open: {}, signal: stop.signal };
  let exitCode = FOUND;
  try {
    exitCode = await readHistories(context, paths, reading, async (useCases, signal, opened) => {
      const { description, details = [] } = opened;
      if (terminal.stderr.isTTY)
        terminal.stderr.write([`Searching ${description}`, ...details, ""].join("\n"));
      const request = requestOf(typed, options);
      const found =
        options.session === undefined
          ? await printSessions(terminal, useCases, request, options, signal)
          : await printHits(terminal, useCases.searchRecords, request, options, signal);
      return found === 0 ? NOTHING : FOUND;
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
  request: SearchRequest,
  { json, limit = Number.POSITIVE_INFINITY }: SearchOptions,
  signal: AbortSignal,
): Promise<number> {
  const style = styleOf(terminal);
  const progress = new SearchProgress(terminal);
  let found = 0;
  let cursor: string | undefined;
  do {
    const most = Math.min(HITS_AT_ONCE, limit - found);
    const answer = await search.execute({ ...request, limit: most, cursor }, { signal });
    progress.hide();
    for (const hit of answer.hits) await print(terminal, json ? hitJson(hit) : hitLine(hit, style), signal);
    found += answer.hits.length;
    cursor = answer.nextCursor ?? undefined;
    progress.show(answer);
  } while (cursor !== undefined && found < limit);
  progress.hide();
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
