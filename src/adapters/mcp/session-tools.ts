import type { InspectorUseCases } from "../../application/questions/endpoints.js";
import { changed } from "../../application/questions/json-list.js";
import { text } from "../../application/questions/parameter-kinds.js";
import { PARAMETERS, SEARCH_TEXT } from "../../application/questions/parameters.js";
import { ownerOf } from "../../application/questions/requests.js";
import type { SearchAnswer } from "../../application/search/search-answer.js";
import { worstOf } from "../../domain/analysis/diagnosis.js";
import type { SessionSummary } from "../../domain/analysis/session-summary.js";
import type { SearchHit } from "../../domain/search/search-hit.js";
import { DEFAULT_KINDS, parseSearchQuery } from "../../domain/search/search-query.js";
import {
  listAnswer,
  MOST_CHARACTERS,
  objectAnswer,
  partAnswer,
  shownRecords,
  warningsOf,
} from "./answers.js";
import { shortenable } from "./shorten.js";
import { FILTER, JSON_FROM, OWNER, PAGE, SESSION, type Tool, tool } from "./tool.js";
import { optional, preset, required } from "./tool-input.js";

export function listSessionsTool({ listSessions }: InspectorUseCases): Tool {
  return tool({
    name: "list_sessions",
    title: "List sessions",
    description:
      "The recorded sessions of AI agents, newest activity first: ids, title, when, turns, tokens, errors, model, what was asked and said. " +
      "A session is named by its tenantId and its sessionId. Filters narrow the list together. " +
      "total is how many sessions there are before other filters than tenantId; unread of them were not looked at yet.",
    input: {
      ...OWNER,
      text: optional(text({ min: 1 }), "Part of a session's id, user or title, in any case."),
      status: optional(
        PARAMETERS.status,
        "Only sessions in this state; a waiting one has asked a person, waitingFor.",
      ),
      userId: optional(PARAMETERS.userId, 'Only the sessions of this user; "" for those without one.'),
      source: optional(
        PARAMETERS.source,
        "Only the sessions of this one of several sources, as source names it.",
      ),
      filter: FILTER,
      ...PAGE,
    },
    async execute({ limit, cursor, ...filters }, { signal }) {
      const query = { ...filters, ...ownerOf(filters), window: { limit, cursor } };
      const list = changed(await listSessions.execute(query, { signal }));
      const { nextCursor, counts, warnings } = list;
      return listAnswer({
        member: "sessions",
        records: await shownRecords(list),
        nextCursor,
        rest: { ...counts, ...warningsOf(warnings) },
        whole: "Ask for fewer sessions with limit.",
      });
    },
  });
}

/** A search goes on for about so long where it has not found enough. */
const BUDGET_MS = 8_000;

export function searchTool({ searchRecords }: InspectorUseCases): Tool {
  return tool({
    name: "search",
    title: "Search histories",
    description:
      "Finds a text in what agents and people said, thought and did, sub-agents included, newest session first. " +
      'Text is found in any case unless it has a capital; "in double quotes" exactly; re:… is a regular expression (RE2). ' +
      "All errors of a session: query re:. with in [error]. A hit names its record: sequence for trace_slice (from), messageIndex for messages (from). " +
      "Only where nextCursor is null everything was searched.",
    input: {
      query: required(SEARCH_TEXT, "What to look for."),
      in: preset(
        PARAMETERS.in,
        DEFAULT_KINDS,
        "Which texts: input and output are of tools; other are names, paths and what a tool recorded besides.",
      ),
      ...OWNER,
      filter: FILTER,
      ...PAGE,
    },
    async execute({ query: typed, in: kinds, limit, cursor, filter, ...owner }, call) {
      const request = { query: parseSearchQuery(typed)!, kinds, filter, ...ownerOf(owner) };
      const deadline = performance.now() + BUDGET_MS;
      const hits: SearchHit[] = [];
      const notes = new Set<string>();
      let answer: SearchAnswer;
      let next = cursor;
      do {
        answer = await searchRecords.execute({ ...request, limit: limit - hits.length, cursor: next }, call);
        hits.push(...answer.hits);
        for (const note of answer.notes ?? []) notes.add(note);
        next = answer.nextCursor ?? undefined;
      } while (next !== undefined && hits.length < limit && performance.now() < deadline);
      const { nextCursor, searched, total } = answer;
      return listAnswer({
        member: "hits",
        records: hits.map((hit) => shortenable(hit, MOST_CHARACTERS)),
        nextCursor,
        rest: { searched, total, ...(notes.size > 0 && { notes: [...notes] }) },
        whole: "Ask for fewer hits with limit.",
      });
    },
  });
}

export function sessionSummaryTool({ summarizeSession }: InspectorUseCases): Tool {
  return tool({
    name: "session_summary",
    title: "Summarize a session",
    description:
      "What went wrong in a session (diagnosis: errors by cause, with where each happened first and how it went on), and what its tokens, money and time went into: totals, by model, agent and turn, the calls that cost most, what filled the contexts " +
      "and was paid for again with every call (by tool, file, agent), and where a prompt cache missed and why. Tokens of whole calls are the " +
      "vendor's; those of a part of a context are estimated. Money is in US dollars, durations in milliseconds; what has no known price is counted " +
      "as unpriced, and is in no sum. stepId is an envelope's id (trace_slice, context_at_call). The curve of context sizes is left out.",
    input: { ...SESSION, jsonFrom: JSON_FROM },
    async execute({ jsonFrom, ...session }, { signal }) {
      const { value: summary } = changed(await summarizeSession.execute(session, { signal }));
      const shown = shortened(summary);
      if (jsonFrom !== undefined) return partAnswer(JSON.stringify(shown), jsonFrom);
      return objectAnswer(shown, "To read it whole: the same, with jsonFrom 0.");
    },
  });
}

/** The worst of what went wrong. */
const MOST_CAUSES = 10;

/** Hundreds of points are for eyes, and estimates have no ten digits. */
function shortened({ context: { curve: _, ...context }, diagnosis, ...summary }: SessionSummary): object {
  const shown = { ...summary, diagnosis: worstOf(diagnosis, MOST_CAUSES), context };
  return JSON.parse(JSON.stringify(shown, rounded)) as object;
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
}
