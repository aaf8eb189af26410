import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { SearchRequest } from "../../../application/search/search-answer.js";
import { type ContentKind, parseSearchQuery } from "../../../domain/search/search-query.js";
import { findSession, tenantQuery } from "../opening/find-session.js";
import { type HistoriesOptions, type UseHistories, withHistories } from "../opening/histories.js";
import type { CommandContext } from "../opening/parts.js";
import { hitJson, hitLine, SearchProgress, styleOf } from "../text/search-lines.js";
import {
  CommandLineError,
  type Ending,
  NOTHING_MATCHED,
  print,
  printText,
  type Terminal,
  untilStopped,
} from "../text/terminal.js";
import { checkFilter } from "./filter-option.js";
import { printSessions } from "./search-sessions.js";

export interface SearchOptions extends HistoriesOptions {
  readonly in: readonly ContentKind[];
  readonly tenant?: string | undefined;
  readonly session?: string | undefined;
  readonly filter?: string | undefined;
  /** Of sessions; of one session, of hits. Infinite for all. */
  readonly limit: number;
}

const HITS_AT_ONCE = 100;

/**
 * Prints sessions with their first hits, or every hit of one session. It ends at the first signal, and soon after its output has no
 * reader.
 * @returns the exit code, or the signal that stopped it
 * @throws CommandLineError for an invalid query, and for unreadable histories
 */
export async function searchHistories(
  context: CommandContext,
  typed: string,
  paths: readonly string[],
  options: SearchOptions,
): Promise<Ending> {
  const { terminal } = context;
  checkFilter(options.filter);
  const query = parseSearchQuery(typed);
  if (query === undefined) throw new CommandLineError("Name a text to find: it is empty.");
  const use: UseHistories<number> = async (useCases, signal, { description, details = [] }) => {
    if (terminal.stderr.isTTY) terminal.stderr.write([`Searching ${description}`, ...details, ""].join("\n"));
    const { in: kinds, session: name, tenant, filter } = options;
    const request = { query, kinds, filter, limit: HITS_AT_ONCE };
    let count: number;
    if (name === undefined) {
      const selected = await tenantQuery(useCases, tenant, filter, signal);
      count = await printSessions(terminal, useCases, { ...request, ...selected }, options, signal);
    } else {
      const { tenantId, sessionId } = await findSession(useCases, name, signal, tenant);
      const ofSession = { ...request, tenantId, sessionId };
      count = await printHits(terminal, useCases.searchRecords, ofSession, options, signal);
    }
    return count > 0 ? 0 : NOTHING_MATCHED;
  };
  return untilStopped(terminal, (stop) => withHistories(context, paths, options, use, stop));
}

async function printHits(
  terminal: Terminal,
  search: InspectorUseCases["searchRecords"],
  request: SearchRequest,
  { json, limit }: SearchOptions,
  signal: AbortSignal,
): Promise<number> {
  const style = styleOf(terminal);
  const progress = new SearchProgress(terminal);
  let matches = 0;
  let cursor: string | undefined;
  do {
    const most = Math.min(HITS_AT_ONCE, limit - matches);
    const answer = await search.execute({ ...request, limit: most, cursor }, { signal });
    progress.hide();
    for (const hit of answer.hits)
      await (json ? print(terminal, hitJson(hit), signal) : printText(terminal, hitLine(hit, style), signal));
    matches += answer.hits.length;
    cursor = answer.nextCursor ?? undefined;
    progress.show(answer);
  } while (cursor !== undefined && matches < limit);
  progress.hide();
  return matches;
}
