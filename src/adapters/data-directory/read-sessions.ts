import { closeSync } from "node:fs";
import path from "node:path";
import { faultText, SourceChangedError, SourceUnavailableError } from "../../application/errors.js";
import { ownModule } from "../../application/ports/reading-pool.js";
import { envelopeEvent, orchestrationEvent } from "../../domain/session/session-activity.js";
import { EMPTY_LOG, LOG_FOLD, type LoggedFacts, type SessionLog } from "../../domain/session/session-log.js";
import { isRecent, mayStall } from "../../domain/session/session-state.js";
import { newestInstant } from "../../domain/trace/instant.js";
import { type OpenFile, openContained, realRootOf } from "../files/bytes/contained-files.js";
import { identityAt, NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
import {
  type Cached,
  type CacheLocation,
  cacheKey,
  DiskCache,
  recallValues,
  type ValueKind,
  type WantedValue,
} from "../files/cache/disk-cache.js";
import { ACTIVITY_SHAPE, type Shape, USAGE_BY_MODEL_SHAPE, USAGE_SHAPE } from "../files/cache/value-shape.js";
import { EventLog } from "./event-log.js";
import { type FoldEnd, foldLines } from "./fold-lines.js";
import { LISTED_FILES } from "./session-files.js";
import { type CountedCalls, uncountedCalls } from "./uncounted-calls.js";

interface ReadSessionsRequest {
  readonly root: string;
  /** Milliseconds since the epoch: only a session with recent activity can be running. */
  readonly now: number;
  readonly sessions: readonly SessionToRead[];
  readonly identities: Float64Array;
  /** Without it, nothing is cached for the next process. */
  readonly cache?: CacheLocation | undefined;
}

interface SessionToRead {
  readonly folder: string;
  readonly logEnd: FoldEnd<SessionLog> | undefined;
  readonly counted: CountedCalls | undefined;
}

export interface ReadSession {
  readonly facts: LoggedFacts;
  readonly logEnd: FoldEnd<SessionLog> | undefined;
  readonly counted: CountedCalls | undefined;
  /** False if the facts lack a file, or a part of it. */
  readonly isComplete: boolean;
  readonly fault?: string | undefined;
}

export const UNREADABLE: LoggedFacts = { log: EMPTY_LOG, ends: [], warnings: 1 };

export const LISTED_NAMES = Object.values(LISTED_FILES);

export const LISTED = 1 + LISTED_NAMES.length;

export const IDENTITY = LISTED * NUMBERS_PER_IDENTITY;

/** Reads the complete log of each session, and the end of its events. An unreadable session does not affect the others. A reading task. */
export function* readSessions({
  root,
  now,
  sessions,
  identities,
  cache: place,
}: ReadSessionsRequest): Generator<void, Cached<ReadSession[]>> {
  const cache = place && new DiskCache(place);
  const realRoot = realRootOf(root);
  const read: ReadSession[] = [];
  for (const [i, { folder, logEnd, counted }] of sessions.entries()) {
    const own = identities.subarray(i * IDENTITY, (i + 1) * IDENTITY);
    const key = cache && cacheKey(folder, "", own);
    const files = new OpenFiles(root, realRoot, folder);
    try {
      const opened = LISTED_NAMES.map((name, j) => {
        const isAbsent = identityAt(own, 1 + j) === undefined;
        return isAbsent ? undefined : files.open(name);
      });
      const facts = yield* readSession(opened, { logEnd, counted }, now);
      const session = files.isComplete ? facts : withUnreadable(facts);
      read.push(session);
      if (key !== undefined && session.isComplete && !mayRun(session.facts, now))
        cache?.add(CACHED_SESSIONS, key, session.facts);
    } catch (error) {
      // No error of one session fails the list. Opening the session reports the expected ones.
      const mayPass = error instanceof SourceUnavailableError || error instanceof SourceChangedError;
      const unread = { facts: UNREADABLE, logEnd: undefined, counted: undefined, isComplete: false };
      read.push(mayPass ? unread : { ...unread, fault: faultText(error) });
    } finally {
      files.close();
    }
    yield;
  }
  return { answer: read, added: cache?.added ?? [] };
}

export const READ_SESSIONS = {
  module: ownModule(import.meta.url, "read-sessions"),
  name: "readSessions",
  steps: readSessions,
};

function withUnreadable({ facts, ...read }: ReadSession): ReadSession {
  return { ...read, facts: { ...facts, warnings: (facts.warnings ?? 0) + 1 }, isComplete: false };
}

function* readSession(
  [session, trace, orchestration]: readonly (OpenFile | undefined)[],
  { logEnd, counted }: Pick<SessionToRead, "logEnd" | "counted">,
  now: number,
): Generator<void, ReadSession> {
  const folded = session && (yield* foldLines(session, logEnd, LOG_FOLD));
  const logs: EventLog[] = [];
  const traceLog = trace && new EventLog(trace, envelopeEvent);
  if (traceLog !== undefined) logs.push(traceLog);
  if (orchestration !== undefined) logs.push(new EventLog(orchestration, orchestrationEvent));
  for (const log of logs) yield* log.readEnd();
  const log = folded?.value ?? EMPTY_LOG;
  const newest = newestInstant(log.newest, ...logs.map((events) => events.newest));
  const ends = logs.map((events) => events.endOf(isRecent(newest, now), mayStall(newest, now)));
  const { countedUntil = Number.NEGATIVE_INFINITY } = log;
  const isCounted = (traceLog?.newest ?? Number.NEGATIVE_INFINITY) <= countedUntil;
  const calls = trace && !isCounted ? yield* uncountedCalls(trace, counted, log.countedUntil) : undefined;
  return {
    facts: { log, ends, uncounted: calls?.used ?? [], warnings: folded?.problems ?? 0 },
    logEnd: folded?.end,
    counted: calls?.end,
    isComplete: (folded?.isComplete ?? true) && (calls?.isComplete ?? true),
  };
}

class OpenFiles {
  isComplete = true;
  readonly #root: string;
  readonly #realRoot: string | undefined;
  readonly #folder: string;
  readonly #descriptors: number[] = [];

  constructor(root: string, realRoot: string | undefined, folder: string) {
    this.#root = root;
    this.#realRoot = realRoot;
    this.#folder = folder;
  }

  open(name: string): OpenFile | undefined {
    try {
      const file = openContained(this.#root, this.#folder + path.sep + name, this.#realRoot);
      if (file !== undefined) this.#descriptors.push(file.descriptor);
      return file;
    } catch (error) {
      if (!(error instanceof SourceUnavailableError)) throw error;
      this.isComplete = false;
      return undefined;
    }
  }

  close(): void {
    for (const descriptor of this.#descriptors) closeSync(descriptor);
  }
}

const FACTS: Shape = {
  log: {
    userId: "text",
    agentId: "text?",
    title: "text?",
    createdAt: "instant?",
    newest: "instant?",
    turns: "number",
    turnParts: { recorded: "number", begun: "number" },
    usage: USAGE_SHAPE,
    usageParts: { turns: USAGE_SHAPE, calls: USAGE_SHAPE, callsSince: USAGE_SHAPE },
    usageByModel: USAGE_BY_MODEL_SHAPE,
    errors: "number?",
    earlyErrors: "number?",
    model: "text?",
    prompt: "text?",
    lastAnswer: "text?",
    lastTurnAt: "instant?",
    lastUsageAt: "instant?",
    countedUntil: "instant?",
  },
  ends: [{ activity: ACTIVITY_SHAPE, newest: "instant?" }],
  uncounted: USAGE_BY_MODEL_SHAPE,
  warnings: "number?",
};

const CACHED_SESSIONS: ValueKind<LoggedFacts> = { name: "sessions", shape: FACTS };

interface RecallRequest {
  readonly cache: CacheLocation;
  readonly wanted: readonly WantedValue[];
}

export function recallSessions({ cache, wanted }: RecallRequest) {
  return recallValues(cache, CACHED_SESSIONS, wanted);
}

export const RECALL_SESSIONS = {
  module: ownModule(import.meta.url, "read-sessions"),
  name: "recallSessions",
  steps: recallSessions,
};

/** If true, the status depends on the clock, and the logs are read further back. */
export function mayRun({ log, ends }: LoggedFacts, now: number): boolean {
  return isRecent(newestInstant(log.newest, ...ends.map(({ newest }) => newest)), now);
}
