import type { ReadingTask } from "../../application/ports/reading-pool.js";
import { isRecent } from "../../domain/session/session-activity.js";
import type { SessionFacts } from "../../domain/session/session-log.js";
import { newestInstant } from "../../domain/trace/instant.js";
import {
  type CachePlace,
  recallValues,
  type ValueKind,
  type WantedValue,
} from "../files/cache/disk-cache.js";
import { ACTIVITY_SHAPE, type Shape, USAGE_BY_MODEL_SHAPE, USAGE_SHAPE } from "../files/cache/value-shape.js";

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

/** What the list shows of the sessions of a data directory. */
export const CACHED_SESSIONS: ValueKind<SessionFacts> = { name: "sessions", shape: FACTS };

interface RecallRequest {
  readonly cache: CachePlace;
  readonly wanted: readonly WantedValue[];
}

export function recallSessions({ cache, wanted }: RecallRequest) {
  return recallValues(cache, CACHED_SESSIONS, wanted);
}

/** The facts of sessions that are cached. */
export const RECALL_SESSIONS: ReadingTask<RecallRequest, (SessionFacts | null)[] | undefined> = {
  module: import.meta.url,
  name: "recallSessions",
  steps: recallSessions,
};

/** Whether the clock may matter: the logs of a session that may be running are read further back. */
export function mayRun({ log, ends }: SessionFacts, now: number): boolean {
  return isRecent(newestInstant(log.newest, ...ends.map(({ newest }) => newest)), now);
}
