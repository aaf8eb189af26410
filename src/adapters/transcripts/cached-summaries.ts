import {
  type CacheKey,
  type CachePlace,
  cacheKey,
  type DiskCache,
  openDiskCache,
} from "../files/cache/disk-cache.js";
import {
  ACTIVITY_SHAPE,
  fits,
  type Shape,
  USAGE_BY_MODEL_SHAPE,
  USAGE_SHAPE,
} from "../files/cache/value-shape.js";
import { laneOf } from "../files/threads/lanes.js";
import type { TranscriptSummary } from "./session-summary.js";
import type { FoundSession } from "./transcript-files.js";

const SUMMARY: Shape = {
  isComplete: "flag",
  usage: USAGE_SHAPE,
  usageByModel: USAGE_BY_MODEL_SHAPE,
  turns: "number",
  activity: [ACTIVITY_SHAPE],
  createdAt: "instant?",
  newest: "instant?",
  touched: "instant",
  titles: {
    given: "text?",
    suggested: "text?",
    key: "text?",
    claims: [{ key: "text", title: "text" }],
  },
  directory: "text?",
  asked: "text?",
  isAskedByPerson: "flag",
  errors: "number?",
  model: "text?",
  lastAnswer: "text?",
  warnings: "number",
};

/** The summaries of sessions by one format, in a cache folder. */
export function cachedSummaries(place: CachePlace, format: string): DiskCache<TranscriptSummary> {
  return openDiskCache(place, `${format} summaries`, isSummary);
}

/** Sessions and the identities of their files and relatives', session by session. */
export interface IdentifiedSessions {
  readonly sessions: readonly FoundSession[];
  readonly identities: readonly Float64Array[];
}

/**
 * The summaries that are cached of sessions; `null` for others. Their files are not looked at.
 *
 * @returns `undefined` where there is none of any session: nothing else need be asked for
 */
export function* recall(
  cache: DiskCache<TranscriptSummary>,
  { sessions, identities }: IdentifiedSessions,
): Generator<void, (TranscriptSummary | null)[] | undefined> {
  if (cache.isAllEmpty) return undefined;
  const summaries: (TranscriptSummary | null)[] = [];
  for (const [i, session] of sessions.entries()) {
    const isEmpty = cache.isEmpty(laneOf(session.files[0].path));
    summaries.push(isEmpty ? null : (cache.get(summaryKey(session, identities[i]!)) ?? null));
    yield;
  }
  return summaries;
}

/** @param identities of the files of the session and its relatives, in their order: a summary is made of these files alone */
export function summaryKey(session: FoundSession, identities: Float64Array): CacheKey {
  const [{ path }] = session.files;
  return cacheKey(laneOf(path), path, JSON.stringify(session), identities);
}

function isSummary(value: unknown): value is TranscriptSummary {
  return fits(value, SUMMARY);
}
