import { InvalidRequestError } from "../../../application/errors.js";
import type {
  RecordSearch,
  SearchCandidate,
  SearchExtent,
} from "../../../application/ports/record-search.js";
import { listIn } from "../../../domain/json/json.js";
import { compareText } from "../../../domain/lists/compare-text.js";
import { isPause } from "../../../domain/lists/is-pause.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { sortByRuns } from "../../../domain/trace/sort-by-runs.js";
import { identityAt, NUMBERS_PER_IDENTITY } from "../bytes/file-identities.js";

/** State of the lookup. */
export interface SearchedSession extends SessionKey {
  readonly files: readonly string[];
  /** Newest write to its files, in milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly bytes: number;
}

/** Absent files do not count. */
export function extentOf(...parts: readonly Float64Array[]): Pick<SearchedSession, "modifiedAt" | "bytes"> {
  let modifiedAt = 0;
  let bytes = 0;
  for (const identities of parts) {
    for (let i = 0; i * NUMBERS_PER_IDENTITY < identities.length; i++) {
      const file = identityAt(identities, i);
      if (typeof file !== "object") continue;
      modifiedAt = Math.max(modifiedAt, file.modifiedAt);
      bytes += file.size;
    }
  }
  return { modifiedAt, bytes };
}

export function* searchOrder(sessions: Iterable<SearchedSession>): Generator<void, SearchedSession[]> {
  const all: SearchedSession[] = [];
  for (const session of sessions) {
    all.push(session);
    yield;
  }
  const order = Uint32Array.from(all.keys());
  yield* sortByRuns(order, (a, b) => compare(all[a]!, all[b]!) || a - b);
  return Array.from(order, (at) => all[at]!);
}

type Place = Pick<SearchedSession, "tenantId" | "sessionId" | "modifiedAt">;

/** Newest write first, then by tenant and session. */
export class SearchOrder {
  readonly sessions: readonly SearchedSession[];
  /** Index of the first session to examine. */
  readonly first: number;
  /** Sessions written since the search began: they are at the front now. */
  readonly moved: number;
  /** Newest write at the start of the search. */
  readonly #begun: number;
  readonly #bytesBefore: Float64Array;

  private constructor(sessions: readonly SearchedSession[], after: SearchedPlace | undefined) {
    this.sessions = sessions;
    this.#begun = after?.begun ?? sessions[0]?.modifiedAt ?? 0;
    this.first = after === undefined ? 0 : firstWhere(sessions, (one) => compare(one, after) > 0);
    this.moved = firstWhere(sessions, ({ modifiedAt }) => modifiedAt <= this.#begun);
    this.#bytesBefore = new Float64Array(sessions.length + 1);
    for (const [i, { bytes }] of sessions.entries()) this.#bytesBefore[i + 1] = this.#bytesBefore[i]! + bytes;
  }

  /**
   * @param all in the order of {@link searchOrder}
   * @throws InvalidRequestError if `after` is not a valid position
   */
  static *of(
    all: readonly SearchedSession[],
    { tenantId, tenants, sessionId, after }: Omit<RecordSearch, "query">,
  ): Generator<void, SearchOrder> {
    const place = after === undefined ? undefined : placeIn(after);
    const wantedTenants = tenants && new Set(tenants);
    const isWanted = (one: SearchedSession) =>
      (tenantId === undefined || one.tenantId === tenantId) &&
      (wantedTenants === undefined || wantedTenants.has(one.tenantId)) &&
      (sessionId === undefined || one.sessionId === sessionId);
    const ordered: SearchedSession[] = [];
    for (const [i, one] of all.entries()) {
      if (isWanted(one)) ordered.push(one);
      if (isPause(i)) yield;
    }
    return new SearchOrder(ordered, place);
  }

  candidateAt(index: number): SearchCandidate {
    const { tenantId, sessionId, bytes } = this.sessions[index]!;
    return { tenantId, sessionId, place: this.placeOf(index), before: this.extentTo(index), bytes };
  }

  /** Exclusive; the index after the last session gives the total. */
  extentTo(index: number): SearchExtent {
    return { sessions: index, bytes: this.#bytesBefore[index]! };
  }

  placeOf(index: number): string {
    const { modifiedAt, tenantId, sessionId } = this.sessions[index]!;
    return JSON.stringify([this.#begun, modifiedAt, tenantId, sessionId]);
  }
}

interface SearchedPlace extends Place {
  readonly begun: number;
}

function placeIn(text: string): SearchedPlace {
  const [begun, modifiedAt, tenantId, sessionId] = listIn(text);
  const isPlace =
    typeof begun === "number" &&
    typeof modifiedAt === "number" &&
    typeof tenantId === "string" &&
    typeof sessionId === "string";
  if (!isPlace) {
    throw new InvalidRequestError("cursor", "is not from this source. Start the search again without it.");
  }
  return { begun, modifiedAt, tenantId, sessionId };
}

function compare(a: Place, b: Place): number {
  return (
    b.modifiedAt - a.modifiedAt ||
    compareText(a.tenantId, b.tenantId) ||
    compareText(a.sessionId, b.sessionId)
  );
}

/** Binary search: the condition must stay true after its first true. */
function firstWhere<T>(list: readonly T[], isSo: (one: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
