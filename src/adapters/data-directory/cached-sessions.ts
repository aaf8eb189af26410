import { isRecent } from "../../domain/session/session-activity.js";
import type { SessionFacts } from "../../domain/session/session-log.js";
import { newestInstant } from "../../domain/trace/instant.js";
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

const FACTS: Shape = {
  log: {
    userId: "text",
    agentId: "text?",
    title: "text?",
    createdAt: "instant?",
    newest: "instant?",
    turns: "number",
    usage: USAGE_SHAPE,
    usageParts: { turns: USAGE_SHAPE, calls: USAGE_SHAPE, callsSince: USAGE_SHAPE },
    usageByModel: USAGE_BY_MODEL_SHAPE,
    errors: "number?",
    model: "text?",
    prompt: "text?",
    lastAnswer: "text?",
    lastTurnAt: "instant?",
    countedUntil: "instant?",
  },
  ends: [{ activity: ACTIVITY_SHAPE, newest: "instant?" }],
  uncounted: USAGE_BY_MODEL_SHAPE,
  warnings: "number?",
};

/** What the list shows of the sessions of a data directory, in a cache folder. */
export function cachedSessions(place: CachePlace): DiskCache<SessionFacts> {
  return openDiskCache(place, "sessions", isFacts);
}

/** @param identities the session's folder and its files, as they were looked up */
export function sessionKey(folder: string, identities: Float64Array): CacheKey {
  return cacheKey(laneOf(folder), folder, "", identities);
}

/** Whether the clock may matter: the logs of a session that may be running are read further back. */
export function mayRun({ log, ends }: SessionFacts, now: number): boolean {
  return isRecent(newestInstant(log.newest, ...ends.map(({ newest }) => newest)), now);
}

function isFacts(value: unknown): value is SessionFacts {
  return fits(value, FACTS);
}
