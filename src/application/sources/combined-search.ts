import { listIn } from "../../domain/json/json.js";
import { compareText } from "../../domain/lists/compare-text.js";
import { InvalidRequestError } from "../errors.js";
import type { RecordSearch, RecordSearchPage, SearchExtent } from "../ports/record-search.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { type SourcePart, sumOf } from "./source-part.js";

interface Progress {
  /** `""` before its beginning, `null` after its end. */
  readonly after: string | null;
  readonly searched: SearchExtent;
  readonly total: SearchExtent;
}

interface PartsCursor {
  readonly turn: string;
  readonly returned: number;
  readonly parts: ReadonlyMap<string, Progress>;
}

/** Candidates of a part before the next part's turn: the number that a search requests. */
const TURN = 16;

const COUNTED_TURN = 128;

/** A new part begins only below this length of the cursor, which has 2,000 characters at most. */
const SHORT_PLACE = 1_000;

const BEGINNING: PartsCursor = { turn: "", returned: 0, parts: new Map() };

/** Candidates of all parts, newest first within each. Parts take turns, so that one without matches does not delay the others. */
export async function searchParts(
  all: readonly SourcePart[],
  search: RecordSearch,
  options?: ReadOptions,
): Promise<RecordSearchPage> {
  const requested = all
    .filter((part) => part.narrowed(search) !== undefined)
    .sort((a, b) => compareText(a.key, b.key));
  const mostInTurn = search.countsMatches ? COUNTED_TURN : TURN;
  const place = search.after === undefined ? BEGINNING : placeIn(search.after);
  const { parts } = place;
  const waiting = requested.filter(({ key }) => parts.get(key)?.after !== null);
  const part = nextPart(waiting, place, mostInTurn, search.after);
  if (part === undefined) return { candidates: [], next: undefined, ...extentsOf(requested, parts) };

  const { after, searched: before = NONE } = parts.get(part.key) ?? {};
  const returned = part.key === place.turn ? place.returned % mostInTurn : 0;
  const own = {
    ...part.narrowed(search)!,
    after: after || undefined,
    limit: Math.min(search.limit, mostInTurn - returned),
  };
  const answer = await part.ask("search", (until) => part.source.findCandidates(own, until), options);
  if ("error" in answer && requested.length === 1) throw answer.error;
  const nothing: RecordSearchPage = { candidates: [], next: undefined, searched: before, total: before };
  const { candidates, next, searched, total, notes } = "value" in answer ? answer.value : nothing;
  const placeBehind = (taken: number, progress: Progress): PartsCursor => ({
    turn: part.key,
    returned: returned + taken,
    parts: new Map([...parts, [part.key, progress]]),
  });
  const taken = candidates.length < own.limit ? mostInTurn - returned : candidates.length;
  const end = placeBehind(taken, { after: next ?? null, searched, total });
  return {
    candidates: candidates.map(({ tenantId, place, before, ...candidate }, i) => {
      const behind = placeBehind(i + 1, { after: place, searched: before, total });
      return {
        ...candidate,
        tenantId: part.outside(tenantId),
        place: placeText(behind),
        before: extentsOf(requested, behind.parts).searched,
      };
    }),
    next: next === undefined && waiting.length === 1 ? undefined : placeText(end),
    ...extentsOf(requested, end.parts),
    notes: "error" in answer ? [answer.reason] : notes,
  };
}

function nextPart(
  waiting: readonly SourcePart[],
  { turn, returned, parts }: PartsCursor,
  mostInTurn: number,
  text = "",
): SourcePart | undefined {
  const same = waiting.find(({ key }) => key === turn);
  if (same !== undefined && returned < mostInTurn) return same;
  const mayBegin = text.length <= SHORT_PLACE;
  const inOrder = [...waiting.filter(({ key }) => key > turn), ...waiting];
  return inOrder.find(({ key }) => mayBegin || parts.has(key)) ?? waiting[0];
}

function extentsOf(
  requested: readonly SourcePart[],
  parts: PartsCursor["parts"],
): Pick<RecordSearchPage, "searched" | "total"> {
  const states = requested.map(({ key }) => parts.get(key));
  return {
    searched: sumOfExtents(states.map((progress) => progress?.searched ?? NONE)),
    total: sumOfExtents(states.map((progress) => progress?.total ?? {})),
  };
}

const NONE: SearchExtent = { sessions: 0, bytes: 0 };

function sumOfExtents(extents: readonly SearchExtent[]): SearchExtent {
  return {
    sessions: sumOf(extents.map(({ sessions }) => sessions)),
    bytes: sumOf(extents.map(({ bytes }) => bytes)),
  };
}

function placeText({ turn, returned, parts }: PartsCursor): string {
  const entries = Array.from(parts, ([key, { after, searched, total }]) => {
    return [key, after, searched.sessions, searched.bytes, total.sessions, total.bytes];
  });
  return JSON.stringify([turn, returned, ...entries]);
}

/** @throws InvalidRequestError for an invalid position, because it comes from a client */
function placeIn(text: string): PartsCursor {
  const [turn, returned, ...entries] = listIn(text);
  const parts = new Map<string, Progress>();
  for (const entry of entries) {
    const [key, after, ...counts] = Array.isArray(entry) ? entry : [];
    const isPlace = typeof key === "string" && (after === null || typeof after === "string");
    if (!isPlace) throw invalidCursor();
    const [sessions, bytes, ofSessions, ofBytes] = counts.map((count) =>
      typeof count === "number" ? count : undefined,
    );
    parts.set(key, { after, searched: { sessions, bytes }, total: { sessions: ofSessions, bytes: ofBytes } });
  }
  if (typeof turn !== "string" || !Number.isSafeInteger(returned)) throw invalidCursor();
  return { turn, returned: Math.abs(returned as number), parts };
}

function invalidCursor(): InvalidRequestError {
  return new InvalidRequestError("cursor", "was not issued for this search.");
}
