import { SourceChangedError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import type { SearchQuery } from "../../domain/search/search-query.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { changesWithTime } from "../../domain/session/session.js";
import { type LoggedFacts, sessionItem } from "../../domain/session/session-log.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";
import { NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
import { type BytePattern, bytePatternOf } from "../files/search/byte-pattern.js";
import { isInBytes, type ScanResult } from "../files/search/scan-files.js";
import { GroupReader, problemOf } from "./group-reader.js";
import type { OtlpLocation } from "./otlp-files.js";
import { SpanFolder } from "./span-folder.js";
import { revisionOf, type SpanIndex, type SpanSessions, setIdentityOf } from "./span-index.js";
import { StoredSpans } from "./stored-spans.js";
import type { RecordTexts } from "./text-records.js";

export type SessionName = readonly [tenantId: string, sessionId: string];

export interface SummedSession {
  readonly item: ListedSession;
  readonly running: LoggedFacts | undefined;
}

export type RecordsName = "trace" | "messages" | "orchestration";

export interface OpenedSpans {
  readonly revision: string;
  readonly parts?: Readonly<Record<RecordsName, Float64Array>> & { readonly keys: TraceKeys };
}

/** Reads a folder of spans, or a file, in a thread. Its caches only save time: any thread can answer any request. */
export class SpanReader {
  readonly #folder: SpanFolder;
  readonly #groups: GroupReader;
  readonly #spans: StoredSpans;

  constructor(location: OtlpLocation, maxBytes: number) {
    this.#folder = new SpanFolder(location);
    this.#spans = new StoredSpans(location.root);
    this.#groups = new GroupReader(this.#spans, maxBytes);
  }

  /**
   * Examines the files and returns the possible sessions.
   * @param previous the version of the caller; if it is current, the result is `undefined`
   */
  *look(previous: string | undefined): Generator<unknown, SpanSessions | undefined> {
    const index = yield* this.#folder.look();
    return index.version === previous ? undefined : index.sessions;
  }

  *find([tenantId, sessionId]: SessionName): Generator<unknown, Float64Array | undefined> {
    const group = (yield* this.#index()).groupOf(tenantId, sessionId);
    if (group === undefined) return undefined;
    const identity = new Float64Array(NUMBERS_PER_IDENTITY);
    setIdentityOf(group, identity, 0);
    return identity;
  }

  /**
   * Computes the facts of sessions.
   *
   * @returns the list's facts for each session; `null` if it does not exist, `undefined` if it cannot be derived now
   */
  *summarize(
    sessions: readonly SessionName[],
    now: number,
  ): Generator<unknown, (SummedSession | null | undefined)[]> {
    return yield* this.#reading(this.#summarize(yield* this.#index(), sessions, now));
  }

  *#summarize(index: SpanIndex, sessions: readonly SessionName[], now: number) {
    const summed: (SummedSession | null | undefined)[] = [];
    for (const [tenantId, sessionId] of sessions) {
      const group = index.groupOf(tenantId, sessionId);
      const sums = group && (yield* this.#groups.sum(group));
      const facts = sums?.facts?.get(sessionId);
      if (facts !== undefined) summed.push(summedSession(tenantId, sessionId, facts, group!.newest, now));
      else summed.push(sums?.problem === undefined ? null : undefined);
      yield;
    }
    return summed;
  }

  *warnings(): Generator<unknown, RecordWarning[]> {
    return this.#groups.warningsIn(yield* this.#index());
  }

  /**
   * Returns the current state of a session; `undefined` if it does not exist.
   * @param previous the revision that the caller has
   */
  *open(
    [tenantId, sessionId]: SessionName,
    previous: string | undefined,
  ): Generator<unknown, OpenedSpans | undefined> {
    const group = (yield* this.#index()).groupOf(tenantId, sessionId);
    if (group === undefined) return undefined;
    const revision = revisionOf(group);
    if (revision === previous) return { revision };
    const texts = yield* this.#reading(this.#groups.texts(group, sessionId));
    if (texts === undefined) return undefined;
    const { trace, messages, orchestration, keys } = texts;
    return {
      revision,
      parts: {
        keys,
        trace: yield* trace.fingerprints(),
        messages: yield* messages.fingerprints(),
        orchestration: yield* orchestration.fingerprints(),
      },
    };
  }

  /**
   * Returns records of an opened session, as many as fit in one batch.
   *
   * @throws SourceChangedError if the session has changed
   */
  *read(
    [tenantId, sessionId]: SessionName,
    revision: string,
    list: RecordsName,
    positions: Uint32Array,
  ): Generator<unknown, RecordTexts> {
    const group = (yield* this.#index()).groupOf(tenantId, sessionId);
    const isSame = group !== undefined && revisionOf(group) === revision;
    const cached = this.#groups.cachedTexts(revision, sessionId);
    const texts = cached ?? (isSame ? yield* this.#reading(this.#groups.texts(group, sessionId)) : undefined);
    if (texts === undefined) throw new SourceChangedError("The session changed while it was being read.");
    return texts[list].read(positions);
  }

  /** Returns the sessions that may contain a text. After `until`, no further session starts, except the first. */
  *search(
    sessions: readonly SessionName[],
    query: SearchQuery,
    until: number,
  ): Generator<unknown, ScanResult> {
    const pattern = bytePatternOf(query);
    if (pattern === undefined) return { matches: sessions.map(() => 1), problems: [] };
    return yield* this.#reading(this.#search(yield* this.#index(), sessions, pattern, until));
  }

  *#search(index: SpanIndex, sessions: readonly SessionName[], pattern: BytePattern, until: number) {
    const matches: number[] = [];
    const problems: string[] = [];
    for (const [tenantId, sessionId] of sessions) {
      if (matches.length > 0 && Date.now() >= until) break;
      const group = index.groupOf(tenantId, sessionId);
      let hasSession = false;
      try {
        const texts = group && (yield* this.#groups.texts(group, sessionId));
        for (const list of [texts?.trace, texts?.messages, texts?.orchestration])
          hasSession ||= list !== undefined && (yield* isInBytes(pattern, list.text));
      } catch (error) {
        problems.push(problemOf(error));
      }
      matches.push(hasSession ? 1 : 0);
      yield;
    }
    return { matches, problems };
  }

  *#index(): Generator<unknown, SpanIndex> {
    return this.#folder.index ?? (yield* this.#folder.look());
  }

  *#reading<T>(work: Generator<unknown, T>): Generator<unknown, T> {
    try {
      return yield* work;
    } finally {
      this.#spans.closeFiles();
    }
  }
}

function summedSession(
  tenantId: string,
  sessionId: string,
  facts: LoggedFacts,
  newest: number,
  now: number,
): SummedSession {
  const item = sessionItem({ tenantId, sessionId }, facts, newest, now);
  return { item, running: changesWithTime(item) ? facts : undefined };
}
