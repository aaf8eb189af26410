import { InvalidRequestError } from "../../../application/errors.js";
import { changed, recordsOf } from "../../../application/questions/json-list.js";
import { oneOf } from "../../../application/questions/parameter-kinds.js";
import { PARAMETERS } from "../../../application/questions/parameters.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import { FILTER_FIELDS } from "../../../domain/filter/session-filter.js";
import {
  hasNoCounts,
  type InspectorSessionItem,
  STATE_WORDS,
  stateOf,
} from "../../../domain/session/session.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { type AnswerText, fields, type ToolAnswer, tableOf } from "../answer/answer.js";
import { usd } from "../answer/figures.js";
import { type Cell, listed, name, own } from "../answer/own-words.js";
import type { Handles } from "./handles.js";
import { findSorted, SORTS, type Sort, type SortedSessions, secondsOf } from "./session-order.js";
import { type McpCall, PAGE, TEXTS, type Tool, tool } from "./tool.js";
import { optional, preset } from "./tool-input.js";

const BUDGET_MS = 8_000;

export function listSessionsTool({ listSessions }: InspectorUseCases): Tool {
  return tool({
    name: "list_sessions",
    title: "List sessions",
    description:
      "Sessions with their figures (≥: a part has no price). texts adds ids, titles, prompts, last answers.",
    input: {
      filter: optional(
        PARAMETERS.filter,
        `edited:a.ts error cost:>1 after:7d status:stalled; OR, ( ). Fields: ${Object.keys(FILTER_FIELDS).join(" ")}`,
      ),
      sort: preset(oneOf(SORTS), "newest", ""),
      ...PAGE,
      texts: TEXTS,
    },
    async execute({ filter, sort, limit, cursor, texts = false }, { handles, signal }): Promise<ToolAnswer> {
      const place = placeOf(handles.cursorNamed(cursor), sort);
      const find = () =>
        sort === "newest"
          ? newest({ listSessions }, filter, [place, limit], signal)
          : findSorted({ listSessions }, filter, [sort, Number(place ?? 0), limit], signal);
      const deadline = performance.now() + BUDGET_MS;
      let sessions = await find();
      while ((sessions.counts.unread ?? 0) > 0 && performance.now() < deadline) sessions = await find();
      const { items, counts, nextCursor } = sessions;
      const next = nextCursor === null ? null : JSON.stringify({ sort, place: nextCursor });
      return {
        of: own`several sessions, each row one`,
        texts,
        parts: [
          fields(own`sessions`, {
            shown: items.length,
            found: sessions.matchCount,
            total: counts.total,
            unread: counts.unread || undefined,
            undecided: counts.undecided || undefined,
            warnings: sessions.warnings || undefined,
            next: handles.cursor(next),
          }),
          sessionsTable(items, texts, handles),
        ],
      };
    },
  });
}

/** @throws InvalidRequestError for a cursor of another order */
function placeOf(cursor: string | undefined, sort: Sort): string | undefined {
  if (cursor === undefined) return undefined;
  const at = JSON.parse(cursor) as { readonly sort?: Sort; readonly place?: string };
  if (at.sort === sort) return at.place;
  throw new InvalidRequestError("cursor", "is not from this list. Use the value of next, or omit cursor.");
}

async function newest(
  { listSessions }: Pick<InspectorUseCases, "listSessions">,
  filter: string | undefined,
  [cursor, limit]: readonly [cursor: string | undefined, limit: number],
  signal: McpCall["signal"],
): Promise<SortedSessions> {
  const list = changed(await listSessions.execute({ filter, window: { limit, cursor } }, { signal }));
  const items = await recordsOf<InspectorSessionItem>(list);
  const { nextCursor = null, counts = {}, warnings } = list;
  return { items, nextCursor, counts, warnings: warnings.length };
}

function sessionsTable(items: readonly InspectorSessionItem[], texts: boolean, handles: Handles): AnswerText {
  return tableOf(undefined, items, {
    session: (item) => handles.session(item),
    active: ({ lastActive }) => plausibleTime(lastActive),
    seconds: secondsOf,
    turns: ({ turns }) => turns,
    usd: ({ cost }) => usd(cost),
    tokens: (item) => (hasNoCounts(item) ? undefined : item.tokens),
    errors: ({ errors }) => errors,
    status: (item) => listed(Object.values(STATE_WORDS), STATE_WORDS[stateOf(item).kind]),
    model: ({ model }) => name("model", model),
    ...(texts ? TEXTS_OF_SESSION : {}),
  });
}

const TEXTS_OF_SESSION = {
  tenant: ({ tenantId }) => name("tenant", tenantId),
  id: ({ sessionId }) => name("session", sessionId),
  source: ({ source }) => name("source", source),
  user: ({ userId }) => name("user", userId),
  title: ({ title }) => title,
  prompt: ({ prompt }) => prompt,
  lastAnswer: ({ lastAnswer }) => lastAnswer,
  asksFor: ({ waitingFor }) => waitingFor,
} satisfies { readonly [column: string]: (item: InspectorSessionItem) => Cell };
