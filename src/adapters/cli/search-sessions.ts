import type { InspectorUseCases } from "../../application/questions/use-cases.js";
import type { SearchRequest } from "../../application/search/search-answer.js";
import type { SessionWithHits } from "../../application/search/session-search-answer.js";
import type { SearchHit } from "../../domain/search/search-hit.js";
import { COUNT } from "../../domain/text/figure-texts.js";
import { visibleJson, visibleText } from "../../domain/text/visible-text.js";
import { plausibleTime } from "../../domain/trace/instant.js";
import { hitText, type PLAIN, SearchProgress, styleOf } from "./search-lines.js";
import { sessionName } from "./session-names.js";
import { print, printText, type Terminal } from "./terminal.js";

/** Number of sessions per request: few at first, so that they are printed soon. */
const FIRST_SESSIONS = 20;
const SESSIONS_AT_ONCE = 500;

/** Maximum number of printed hits per session. */
const SHOWN_HITS = 3;

/** Maximum number of sessions that are read here because the search did not read them: those that are printed first. */
const MOST_READ = 50;

interface Printing {
  readonly json?: boolean | undefined;
  readonly limit: number;
}

/**
 * Prints the sessions that a search finds, the first of them with hits. Unread sessions are read as long as no session is confirmed to
 * contain the text in the searched kinds.
 *
 * @returns their number
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
  let found = 0;
  let isCertain = false;
  let read = 0;
  let cursor: string | undefined;
  do {
    const most = Math.min(cursor === undefined ? FIRST_SESSIONS : SESSIONS_AT_ONCE, limit - found);
    const answer = await searchSessions.execute({ ...request, limit: most, cursor }, { signal });
    for (const session of answer.sessions) {
      let { hits } = session;
      if (hits.length === 0 && (read < MOST_READ || !isCertain)) {
        read++;
        const { filter: _, ...unfiltered } = request; // it is one that the filter means
        hits = await firstHits(searchRecords, { ...unfiltered, ...keyOf(session) }, signal);
        if (hits.length === 0) continue;
      }
      isCertain ||= hits.length > 0;
      found++;
      const shown = { ...session, hits };
      progress.hide();
      await (json
        ? print(terminal, sessionJson(shown), signal)
        : printText(terminal, sessionLines(shown, style), signal));
    }
    progress.hide();
    cursor = answer.nextCursor ?? undefined;
    progress.show(answer);
  } while (cursor !== undefined && found < limit);
  progress.hide();
  return found;
}

const keyOf = ({ tenantId, sessionId }: SessionWithHits) => ({ tenantId, sessionId });

/** None where the session is gone or cannot be read: the search of all sessions would have left it out with a note. */
async function firstHits(
  search: InspectorUseCases["searchRecords"],
  request: SearchRequest,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  let cursor: string | undefined;
  try {
    do {
      const limit = SHOWN_HITS - hits.length;
      const answer = await search.execute({ ...request, limit, cursor }, { signal });
      hits.push(...answer.hits);
      cursor = answer.nextCursor ?? undefined;
    } while (cursor !== undefined && hits.length < SHOWN_HITS);
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

/** Formats a session in one line: its name, its size, its last activity, and its title. Its hits follow, a line each. */
export function sessionLines(session: SessionWithHits, style: typeof PLAIN): string {
  const { count, countIs, lastActive, title, hits } = session;
  const fields = [
    sessionName(session),
    style.kind(COUNTS[countIs](COUNT.format(count))),
    ...[plausibleTime(lastActive), title].flatMap((text) =>
      text === undefined ? [] : [style.faint(visibleText(text))],
    ),
  ];
  return [fields.join("  "), ...hits.map((hit) => `  ${hitText(hit, style)}`), ""].join("\n");
}

/** A session as a line of JSON. */
function sessionJson(session: SessionWithHits): string {
  return `${visibleJson(JSON.stringify(session))}\n`;
}
