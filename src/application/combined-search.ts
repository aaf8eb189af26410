import { checkedSearchPage } from "./checked-snapshot.js";
import { InvalidRequestError } from "./errors.js";
import { listCandidates } from "./list-candidates.js";
import type { RecordSearch, RecordSearchPage, SearchExtent } from "./ports/record-search.js";
import type { ReadOptions } from "./ports/record-stream.js";
import type { SourceCalls } from "./source-calls.js";
import { type SourcePart, sumOf } from "./source-part.js";

/** How far a search has come in one part. */
interface Progress {
  /** Absent where it has not begun, or is over. */
  readonly after?: string | undefined;
  readonly isOver: boolean;
  readonly searched: SearchExtent;
  readonly total: SearchExtent;
}

/** How far a search has come in each part, by its key, and which one's turn it is. */
interface Place {
  readonly turn: string;
  readonly parts: ReadonlyMap<string, Progress>;
}

/** Up to which length of a place another part begins before the ones that have begun are over: a place is 2,000 characters at most. */
const SHORT_PLACE = 1_000;

/** The candidates of all parts: they take turns, a page each, so that every part is newest first in itself. */
export async function searchParts(
  all: readonly SourcePart[],
  calls: SourceCalls,
  search: RecordSearch,
  options?: ReadOptions,
): Promise<RecordSearchPage> {
  const asked = all.filter((part) => part.narrowed(search) !== undefined);
  const { turn, parts } = search.after === undefined ? { turn: "", parts: new Map() } : placeIn(search.after);
  const progressOf = ({ key }: SourcePart): Progress | undefined => parts.get(key);
  const waiting = asked.filter((part) => !progressOf(part)?.isOver);
  const part = waiting.find(({ key }) => key === turn) ?? waiting[0];
  if (part === undefined) return { candidates: [], next: undefined, ...extentsOf(asked, parts) };

  const own = { ...part.narrowed(search)!, after: progressOf(part)?.after };
  const answer = await calls.ask(part, (until) => candidatesOf(part, own, until), options);
  if ("error" in answer && asked.length === 1) throw answer.error;
  const lost = progressOf(part)?.searched ?? NONE;
  const nothing: RecordSearchPage = { candidates: [], next: undefined, searched: lost, total: lost };
  const page = "value" in answer ? answer.value : nothing;
  const withOwn = (own: Progress) => new Map([...parts, [part.key, own]]);
  const { next, searched, total } = page;
  const ended = withOwn({ after: next, isOver: next === undefined, searched, total });
  const others = waiting.filter((one) => one !== part);
  return {
    candidates: page.candidates.map(({ tenantId, sessionId, place, before }) => {
      const behind = withOwn({ after: place, isOver: false, searched: before, total });
      return {
        tenantId: part.outside(tenantId),
        sessionId,
        place: placeText({ turn: part.key, parts: behind }),
        before: extentsOf(asked, behind).searched,
      };
    }),
    next:
      next === undefined && others.length === 0
        ? undefined
        : placeText({ turn: nextTurn(all, part, others, ended), parts: ended }),
    ...extentsOf(asked, ended),
    notes: "error" in answer ? [answer.reason] : page.notes,
  };
}

async function candidatesOf(
  { source }: SourcePart,
  search: RecordSearch,
  options: ReadOptions,
): Promise<RecordSearchPage> {
  const find = source.searchRecords?.bind(source) ?? listCandidates(source);
  return checkedSearchPage(await find(search, options), search);
}

function nextTurn(
  all: readonly SourcePart[],
  part: SourcePart,
  others: readonly SourcePart[],
  parts: Place["parts"],
): string {
  const behind = [...all.slice(all.indexOf(part) + 1), ...all].filter((one) => others.includes(one));
  const mayBegin = placeText({ turn: part.key, parts }).length <= SHORT_PLACE || parts.get(part.key)?.isOver;
  return (behind.find(({ key }) => mayBegin || parts.has(key)) ?? part).key;
}

/** Nobody knows how much there is before every part has been asked. */
function extentsOf(
  asked: readonly SourcePart[],
  parts: Place["parts"],
): Pick<RecordSearchPage, "searched" | "total"> {
  const known = asked.map(({ key }) => parts.get(key));
  return {
    searched: sumOfExtents(known.map((progress) => progress?.searched ?? NONE)),
    total: sumOfExtents(known.map((progress) => progress?.total ?? {})),
  };
}

const NONE: SearchExtent = { sessions: 0, bytes: 0 };

function sumOfExtents(extents: readonly SearchExtent[]): SearchExtent {
  return {
    sessions: sumOf(extents.map(({ sessions }) => sessions)),
    bytes: sumOf(extents.map(({ bytes }) => bytes)),
  };
}

function placeText({ turn, parts }: Place): string {
  const entries = Array.from(parts, ([key, { after, isOver, searched, total }]) => {
    const counts = [searched.sessions, searched.bytes, total.sessions, total.bytes];
    return [key, isOver ? null : (after ?? ""), ...counts];
  });
  return JSON.stringify([turn, ...entries]);
}

/** @throws InvalidRequestError for what is no place: it comes from a client */
function placeIn(text: string): Place {
  const [turn, ...entries] = listIn(text);
  const parts = new Map<string, Progress>();
  for (const entry of entries) {
    const [key, after, ...counts] = Array.isArray(entry) ? entry : [];
    const isPlace = typeof key === "string" && (after === null || typeof after === "string");
    if (!isPlace) throw notAPlace();
    const [sessions, bytes, ofSessions, ofBytes] = counts.map((count) =>
      typeof count === "number" ? count : undefined,
    );
    parts.set(key, {
      after: after || undefined,
      isOver: after === null,
      searched: { sessions, bytes },
      total: { sessions: ofSessions, bytes: ofBytes },
    });
  }
  if (typeof turn !== "string") throw notAPlace();
  return { turn, parts };
}

function listIn(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw notAPlace();
}

function notAPlace(): InvalidRequestError {
  return new InvalidRequestError("cursor", "was not issued for this search.");
}
