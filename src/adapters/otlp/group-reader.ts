import { LRUCache } from "lru-cache";
import { CachedWhileSame } from "../../application/cached-while-same.js";
import { faultText, SourceChangedError, SourceUnavailableError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import type { LoggedFacts } from "../../domain/session/session-log.js";
import { tellRuns } from "./record-runs.js";
import { tellSteps } from "./record-steps.js";
import { type AnnouncedSession, ReportedSessions, type SessionTexts } from "./reported-session.js";
import { ReportedGroup } from "./span-group.js";
import type { SpanGroup } from "./span-groups.js";
import { keyOf, revisionOf, type SpanIndex } from "./span-index.js";
import type { StoredSpans } from "./stored-spans.js";

/** Facts by session ID, or a problem if they cannot be derived now. */
export type SummedGroup =
  | { readonly facts: ReadonlyMap<string, LoggedFacts>; readonly problem?: undefined }
  | { readonly facts?: undefined; readonly problem: string };

interface WarnedGroup {
  readonly group: SpanGroup;
  readonly warnings: readonly RecordWarning[];
}

/** In groups: sessions of one group are requested one after the other. */
const MAX_CACHED_SUMS = 1_024;

/** Caches the records of a session with more spans together with its facts: deriving them again would take long. */
const FEW_SPANS = 500;

const MOST_WARNED = 1_000;

export class GroupReader {
  readonly #sums = new CachedWhileSame<string, SummedGroup>({ max: MAX_CACHED_SUMS });
  readonly #warned = new LRUCache<string, WarnedGroup>({ max: MOST_WARNED });
  readonly #texts: LRUCache<string, SessionTexts>;
  readonly #spans: StoredSpans;
  readonly #maxBytes: number;

  constructor(spans: StoredSpans, maxBytes: number) {
    this.#spans = spans;
    this.#maxBytes = Math.max(1, maxBytes);
    this.#texts = new LRUCache({ maxSize: this.#maxBytes });
  }

  /** A group that fails does not affect the others, and is tried again the next time. */
  *sum(group: SpanGroup): Generator<unknown, SummedGroup> {
    const revision = revisionOf(group);
    const cached = this.#sums.get(keyOf(group), revision);
    if (cached !== undefined) return cached;
    try {
      yield* this.#derive(group, group.count > FEW_SPANS ? group.sessionIds[0] : undefined);
      return this.#sums.get(keyOf(group), revision)!;
    } catch (error) {
      const problem = problemOf(error);
      const { file, line } = group.traces[0]![0]!.place;
      const reason = `belongs to sessions that are not up to date: ${problem}`;
      this.#warned.set(keyOf(group), { group, warnings: [{ file, line, reason }] });
      return { problem };
    }
  }

  cachedTexts(revision: string, sessionId: string): SessionTexts | undefined {
    return this.#texts.get(`${revision} ${sessionId}`);
  }

  /**
   * `undefined` if the session does not exist.
   * @throws SourceChangedError if the spans have moved from their indexed positions
   */
  *texts(group: SpanGroup, sessionId: string): Generator<unknown, SessionTexts | undefined> {
    const revision = revisionOf(group);
    const cached = this.cachedTexts(revision, sessionId);
    if (cached !== undefined) return cached;
    return (yield* this.#derive(group, sessionId)).get(sessionId)?.records;
  }

  warningsIn(index: SpanIndex): RecordWarning[] {
    return [...this.#warned.values()].flatMap(({ group, warnings }) => {
      const now = index.groupOf(group.tenantId, group.sessionIds[0]!);
      return now !== undefined && revisionOf(now) === revisionOf(group) ? warnings : [];
    });
  }

  *#derive(group: SpanGroup, wanted?: string): Generator<unknown, ReadonlyMap<string, AnnouncedSession>> {
    const revision = revisionOf(group);
    const store = new ReportedSessions(wanted);
    const spanGroup = new ReportedGroup(group, this.#spans);
    yield* group.isOfSteps ? tellSteps(spanGroup, store) : tellRuns(spanGroup, store);
    if (spanGroup.warnings.length > 0)
      this.#warned.set(keyOf(group), { group, warnings: spanGroup.warnings });
    else this.#warned.delete(keyOf(group));
    const { sessions } = store;
    const facts = new Map([...sessions].map(([sessionId, { sums }]) => [sessionId, sums.facts]));
    this.#sums.keep(keyOf(group), revision, { facts });
    if (wanted !== undefined) this.#keepTexts(revision, wanted, sessions.get(wanted)?.records);
    return sessions;
  }

  #keepTexts(revision: string, sessionId: string, texts: SessionTexts | undefined): void {
    if (texts === undefined) return;
    const size = Math.min(texts.bytes, this.#maxBytes);
    this.#texts.set(`${revision} ${sessionId}`, texts, { size });
  }
}

export function problemOf(error: unknown): string {
  const isExpected = error instanceof SourceChangedError || error instanceof SourceUnavailableError;
  return isExpected ? error.message : faultText(error);
}
