import { text } from "../../../application/questions/parameter-kinds.js";
import { PARAMETERS, SEARCH_TEXT } from "../../../application/questions/parameters.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { SearchAnswer, SearchRequest } from "../../../application/search/search-answer.js";
import type { SessionHits, SessionWithHits } from "../../../application/search/session-search-answer.js";
import type { SearchHit } from "../../../domain/search/search-hit.js";
import { CONTENT_KINDS, DEFAULT_KINDS, parseSearchQuery } from "../../../domain/search/search-query.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { type AnswerText, fields, type ToolAnswer, tableOf } from "../answer/answer.js";
import { listed, name, type Own, own, ownWords, registeredName } from "../answer/own-words.js";
import type { Handles, RequestedSession } from "./handles.js";
import { revisionOf } from "./places.js";
import { FILTER, type McpCall, onlyOne, PAGE, TEXTS, type Tool, tool } from "./tool.js";
import { optional, preset, required } from "./tool-input.js";

const BUDGET_MS = 8_000;

type TextSearch = Omit<SearchRequest, "limit" | "cursor">;
type Page = readonly [limit: number, cursor: string | undefined];

export function searchTool(useCases: InspectorUseCases): Tool {
  return tool({
    name: "search",
    title: "Search histories",
    description:
      "Sessions that hold a text, each with its first hits: 45:error is step 45 (at), m3:text is message 3. With session, all its hits. " +
      'Ignores case unless the text has a capital; "quoted" is exact; re:… is RE2; re:. in error matches all errors. texts adds the surrounding text.',
    input: {
      query: required(SEARCH_TEXT, ""),
      session: optional(text({ min: 1, max: 1_010 }), ""),
      in: preset(PARAMETERS.in, DEFAULT_KINDS, "input, output: of tools; other: names, paths"),
      filter: FILTER,
      ...PAGE,
      texts: TEXTS,
    },
    async execute({ query, session, in: kinds, filter, limit, cursor, texts = false }, call) {
      onlyOne({ session, filter });
      const requested = { query: parseSearchQuery(query)!, kinds, filter };
      const page = [limit, call.handles.cursorNamed(cursor)] as const;
      if (session === undefined) return sessionsWith(useCases, requested, page, texts, call);
      const named = await call.handles.sessionNamed(session, "session", call.signal);
      return hitsIn(useCases, named, requested, page, texts, call);
    },
  });
}

async function untilEnough<Answer extends SearchAnswer | SessionHits, One>(
  [limit, cursor]: Page,
  ask: (page: { readonly limit: number; readonly cursor: string | undefined }) => Promise<Answer>,
  of: (results: Answer) => readonly One[],
) {
  const deadline = performance.now() + BUDGET_MS;
  const all: One[] = [];
  const notes = new Set<string>();
  let next = cursor;
  let results: Answer;
  do {
    results = await ask({ limit: limit - all.length, cursor: next });
    all.push(...of(results));
    for (const note of results.notes ?? []) notes.add(note);
    next = results.nextCursor ?? undefined;
  } while (next !== undefined && all.length < limit && performance.now() < deadline);
  return { all, notes: [...notes], next, answer: results };
}

type Extent = Pick<Awaited<ReturnType<typeof untilEnough>>, "notes" | "next" | "answer">;

async function sessionsWith(
  useCases: InspectorUseCases,
  requested: TextSearch,
  page: Page,
  texts: boolean,
  call: McpCall,
): Promise<ToolAnswer> {
  const { searchSessions, searchRecords } = useCases;
  const deadline = performance.now() + BUDGET_MS;
  const { all, ...extent } = await untilEnough(
    page,
    (more) => searchSessions.execute({ ...requested, ...more }, call),
    ({ sessions }) => sessions,
  );
  const results: SessionWithHits[] = [];
  for (const one of all) {
    const isUnread = one.hits.length === 0 && results.length < MOST_READ && performance.now() < deadline;
    const hits = isUnread ? await firstHits({ searchRecords }, requested, one, call) : one.hits;
    // Without hits, the requested kinds of text were not searched in this session.
    if (hits !== undefined) results.push({ ...one, hits });
  }
  const { handles } = call;
  return {
    of: own`several sessions, each row of one`,
    texts,
    parts: [
      ...extentParts(results.length, extent, handles),
      tableOf(undefined, results, {
        session: (one) => handles.session(one),
        active: ({ lastActive }) => plausibleTime(lastActive),
        records: ({ count }) => count,
        countIs: ({ countIs }) => listed(["exact", "about", "least"], countIs),
        hits: ({ hits }) => (hits.length === 0 ? undefined : ownWords(hits.map(hitWords), own`,`)),
      }),
      ...(texts ? [await aroundHits(useCases, results, call)] : []),
    ],
  };
}

async function aroundHits(
  useCases: InspectorUseCases,
  results: readonly SessionWithHits[],
  call: McpCall,
): Promise<AnswerText> {
  const rows: { readonly of: Own; readonly hit: SearchHit }[] = [];
  for (const { tenantId, sessionId, hits } of results) {
    if (hits.length === 0) continue;
    const key = { tenantId, sessionId };
    const named = { key, handle: call.handles.session(key), previousRevision: undefined };
    const { of } = call.handles.visit(named, await revisionOf(useCases, key, call));
    for (const hit of hits) rows.push({ of, hit });
  }
  return tableOf(own`around the hits`, rows, {
    session: ({ of }) => of,
    hit: ({ hit }) => hitWords(hit),
    tool: ({ hit }) => name("tool", hit.toolName),
    text: ({ hit }) => hit.snippet.text,
  });
}

const MOST_READ = 10;
const MOST_HITS = 3;

async function firstHits(
  { searchRecords }: Pick<InspectorUseCases, "searchRecords">,
  requested: TextSearch,
  { tenantId, sessionId }: SessionWithHits,
  call: McpCall,
): Promise<readonly SearchHit[] | undefined> {
  const request = { ...requested, filter: undefined, tenantId, sessionId, limit: MOST_HITS };
  const { hits, nextCursor } = await searchRecords.execute(request, call);
  return hits.length === 0 && nextCursor === null ? undefined : hits;
}

async function hitsIn(
  useCases: InspectorUseCases,
  named: RequestedSession,
  requested: TextSearch,
  page: Page,
  texts: boolean,
  call: McpCall,
): Promise<ToolAnswer> {
  // A running session changes during the search. Quoted text existed at the previous revision, or was added since.
  const { of, changes } = call.handles.visit(named, await revisionOf(useCases, named.key, call));
  const { all, ...extent } = await untilEnough(
    page,
    (more) => useCases.searchRecords.execute({ ...requested, ...named.key, ...more }, call),
    ({ hits }) => hits,
  );
  return {
    of,
    texts,
    parts: [
      ...changes,
      ...extentParts(all.length, extent, call.handles),
      tableOf(undefined, all, {
        at: placeOf,
        in: (hit) => listed(CONTENT_KINDS, hit.in),
        time: ({ timestamp }) => plausibleTime(timestamp),
        type: ({ type }) => name("event", type),
        tool: ({ toolName }) => name("tool", toolName),
        agent: ({ agentId }) => call.handles.agent(named, agentId),
        matches: ({ matches }) => matches,
        text: texts ? ({ snippet }) => snippet.text : undefined,
      }),
    ],
  };
}

function extentParts(
  results: number,
  { notes, next, answer }: Extent,
  handles: Handles,
): readonly AnswerText[] {
  const { searched, total } = answer;
  return [
    fields(own`found`, {
      found: results,
      searchedSessions: searched.sessions,
      ofSessions: total.sessions,
      isComplete: next === undefined,
      next: handles.cursor(next),
    }),
    ...(notes.length === 0 ? [] : [tableOf(own`notes`, notes, { note: (note) => name("note", note) })]),
  ];
}

/** `45:input:Edit`; without the tool if its name is free text. */
function hitWords(hit: SearchHit): Own {
  const place = own`${placeOf(hit)}:${listed(CONTENT_KINDS, hit.in) ?? own`other`}`;
  const tool = registeredName("tool", hit.toolName);
  return tool === undefined ? place : own`${place}:${tool}`;
}

function placeOf({ sequence, messageIndex }: SearchHit): Own {
  return sequence === undefined ? own`m${messageIndex ?? 0}` : own`${sequence}`;
}
