import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { SearchRequest } from "../../../application/search/search-answer.js";
import type { SessionWithHits } from "../../../application/search/session-search-answer.js";
import type { SearchHit } from "../../../domain/search/search-hit.js";
import { formatCount } from "../../../domain/text/figures.js";
import { visibleJson, visibleText } from "../../../domain/text/visible-text.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { hitText, type PLAIN, SearchProgress, styleOf } from "../text/search-lines.js";
import { sessionName } from "../text/session-names.js";
import { print, printText, type Terminal } from "../text/terminal.js";

const FIRST_SESSIONS = 20;
const SESSIONS_AT_ONCE = 500;

const VISIBLE_HITS = 3;

const MOST_READ = 50;

interface Printing {
  readonly json?: boolean | undefined;
  readonly limit: number;
}

/**
 * Reads unread sessions until one is confirmed to contain the text in the searched kinds.
 * @returns the number of sessions
 */
export async function printSessions(
  terminal: Terminal,
  { searchSessions, searchRecords }: Pick<InspectorUseCases, "searchSessions" | "searchRecords">,
  request: SearchRequest,
  { json, limit }: Printing,
  signal: AbortSignal,
): Promise<number> {
  const style = styleOf(terminal);
  const progress = new SearchProgress(terminal);
  let total = 0;
  let isCertain = false;
  let read = 0;
  let cursor: string | undefined;
  do {
    const most = Math.min(cursor === undefined ? FIRST_SESSIONS : SESSIONS_AT_ONCE, limit - total);
    const answer = await searchSessions.execute({ ...request, limit: most, cursor }, { signal });
    for (const session of answer.sessions) {
      let { hits } = session;
      if (hits.length === 0 && (read < MOST_READ || !isCertain)) {
        read++;
        const { filter: _, ...unfiltered } = request;
        hits = await firstHits(searchRecords, { ...unfiltered, ...keyOf(session) }, signal);
        if (hits.length === 0) continue;
      }
      isCertain ||= hits.length > 0;
      total++;
      const printed = { ...session, hits };
      progress.hide();
      await (json
        ? print(terminal, sessionJson(printed), signal)
        : printText(terminal, sessionLines(printed, style), signal));
    }
    progress.hide();
    cursor = answer.nextCursor ?? undefined;
    progress.show(answer);
  } while (cursor !== undefined && total < limit);
  progress.hide();
  return total;
}

const keyOf = ({ tenantId, sessionId }: SessionWithHits) => ({ tenantId, sessionId });

/** Empty if the session is gone or unreadable: the search of all sessions would omit it with a note. */
async function firstHits(
  search: InspectorUseCases["searchRecords"],
  request: SearchRequest,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  let cursor: string | undefined;
  try {
    do {
      const limit = VISIBLE_HITS - hits.length;
      const answer = await search.execute({ ...request, limit, cursor }, { signal });
      hits.push(...answer.hits);
      cursor = answer.nextCursor ?? undefined;
    } while (cursor !== undefined && hits.length < VISIBLE_HITS);
  } catch {
    signal.throwIfAborted();
  }
  return hits;
}

const COUNTS: { readonly [Is in SessionWithHits["countIs"]]: (count: string) => string } = {
  exact: (count) => (count === "1" ? "1 record" : `${count} records`),
  about: (count) => `about ${count} lines`,
  least: (count) => `at least ${count} records`,
};

export function sessionLines(session: SessionWithHits, style: typeof PLAIN): string {
  const { count, countIs, lastActive, title, hits } = session;
  const fields = [
    sessionName(session),
    style.kind(COUNTS[countIs](formatCount(count))),
    ...[plausibleTime(lastActive), title].flatMap((text) =>
      text === undefined ? [] : [style.faint(visibleText(text))],
    ),
  ];
  return [fields.join("  "), ...hits.map((hit) => `  ${hitText(hit, style)}`), ""].join("\n");
}

function sessionJson(session: SessionWithHits): string {
  return `${visibleJson(JSON.stringify(session))}\n`;
}
