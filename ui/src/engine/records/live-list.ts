import {
  type ConversationOutline,
  outlineBetween,
} from "../../../../src/domain/conversation/conversation-outline.js";
import { ApiError, type ApiProblem } from "../../api/api-problem.js";
import type { QueryAt } from "../../api/endpoint-address.js";
import {
  type FetchedList,
  fetchRecords,
  type ListPath,
  type RecordMove,
  type UnreadableRecord,
} from "../../api/fetch-records.js";

/** Without an `ETag`, every poll reads the complete list: minimum interval, and its minimum ratio to the reading's duration. */
const MIN_FULL_POLL_MS = 10_000;
const FULL_POLL_FACTOR = 20;

/** A first reading reports after this many records, and at each growth by this factor. */
const FIRST_REPORT = 40;
const GROWTH = 4;

export type SessionListPath = Exclude<ListPath, "/sessions">;

/**
 * A list as JSON texts of its records, updated by polling. The first reading calls `onGrowth`, and pauses until its promise resolves; a
 * later one gets only new records if the service supports that, and replaces the list when complete.
 */
export class LiveList {
  records: readonly string[] = [];
  warnings: readonly UnreadableRecord[] = [];
  outline: ConversationOutline | undefined;
  problem: ApiProblem | undefined;
  loading = true;
  readonly #base: string;
  readonly #path: SessionListPath;
  readonly #query: QueryAt<SessionListPath>;
  readonly #signal: AbortSignal;
  readonly #onGrowth: () => Promise<void> | undefined;
  #etag: string | undefined;
  #syncToken = "";
  #loaded = false;
  #busy = false;
  #notBefore = 0;

  constructor(
    base: string,
    path: SessionListPath,
    query: QueryAt<SessionListPath>,
    signal: AbortSignal,
    onGrowth: () => Promise<void> | undefined,
  ) {
    this.#base = base;
    this.#path = path;
    this.#query = query;
    this.#signal = signal;
    this.#onGrowth = onGrowth;
  }

  /** @returns true if something has changed */
  async refresh(): Promise<boolean> {
    if (this.#busy || Date.now() < this.#notBefore) return false;
    this.#busy = true;
    const before = this.problem;
    try {
      return (await this.#read()) || before !== undefined;
    } catch (error) {
      if (this.#signal.aborted) return false;
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.problem;
      return before?.detail !== error.problem.detail;
    } finally {
      this.loading = false;
      this.#busy = false;
    }
  }

  async #read(): Promise<boolean> {
    const began = Date.now();
    const first = !this.#loaded;
    const records: string[] = [];
    if (first) this.records = records;
    let reported = 0;
    let pause: Promise<void> | undefined;
    const onRecord = (record: string) => {
      records.push(record);
      if (first && records.length >= Math.max(FIRST_REPORT, reported * GROWTH)) {
        reported = records.length;
        pause = this.#onGrowth();
      }
    };
    const query = { ...this.#query, since: this.#syncToken };
    const fetched = await fetchRecords(this.#base, this.#path, query, onRecord, {
      signal: this.#signal,
      etag: this.#etag,
      pause: () => {
        const current = pause;
        pause = undefined;
        return current;
      },
    });
    this.problem = undefined;
    if (fetched === undefined) return false;
    this.#loaded = true;
    if (fetched.etag === undefined) {
      this.#notBefore = Date.now() + Math.max(MIN_FULL_POLL_MS, (Date.now() - began) * FULL_POLL_FACTOR);
    }
    return this.#take(records, fetched, first);
  }

  /** @returns true if the list has changed */
  #take(sent: readonly string[], fetched: FetchedList, first: boolean): boolean {
    const { etag, from, moved, syncToken = "", warnings, outline } = fetched;
    const previous = this.records;
    if (from > previous.length || (moved !== undefined && moved.from + moved.count > previous.length)) {
      const detail = "the answer continues after records that this page does not have";
      throw new ApiError({ kind: "broken", status: 200, detail });
    }
    const added = first || moved === undefined ? sent : withMoved(sent, moved.to - from, previous, moved);
    const same =
      !first &&
      from + added.length === previous.length &&
      added.every((record, i) => record === previous[from + i]) &&
      JSON.stringify(warnings) === JSON.stringify(this.warnings);
    this.outline = outline && withOutline(this.outline, outline, from);
    this.#etag = etag;
    this.#syncToken = syncToken;
    this.warnings = warnings;
    if (!same && !first) this.records = [...previous.slice(0, from), ...added];
    return !same;
  }
}

function withOutline(
  previous: ConversationOutline | undefined,
  sent: ConversationOutline,
  from: number,
): ConversationOutline {
  if (previous === undefined) return sent;
  const { calls, removals } = outlineBetween(previous, 0, from);
  return { calls: [...calls, ...sent.calls], removals: [...removals, ...sent.removals] };
}

/** Inserts unsent records: only their `sequence` has changed. */
function withMoved(
  sent: readonly string[],
  at: number,
  previous: readonly string[],
  { from, count, sequence }: RecordMove,
): string[] {
  const moved = previous.slice(from, from + count);
  // Safe for JSON: only an id and an instant can precede this member.
  const numbered = moved.map((record, i) => record.replace(/"sequence":\d+/, `"sequence":${sequence + i}`));
  return [...sent.slice(0, at), ...numbered, ...sent.slice(at)];
}
