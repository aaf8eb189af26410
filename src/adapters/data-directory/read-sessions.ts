import { closeSync } from "node:fs";
import path from "node:path";
import { faultText, SourceChangedError, SourceUnavailableError } from "../../application/errors.js";
import { ownModule } from "../../application/ports/reading-pool.js";
import { envelopeEvent, isRecent, orchestrationEvent } from "../../domain/session/session-activity.js";
import { EMPTY_LOG, LOG_FOLD, type LoggedFacts, type SessionLog } from "../../domain/session/session-log.js";
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

export interface ReadSessionsRequest {
  readonly root: string;
  /** Milliseconds since the epoch: only a session that was active lately can be running. */
  readonly now: number;
  readonly sessions: readonly SessionToRead[];
  /** The folder of each session and its {@link LISTED_NAMES}, as they were looked up. */
  readonly identities: Float64Array;
  /** Where facts are cached for the next process; nothing for nowhere. */
  readonly cache?: CacheLocation | undefined;
}

export interface SessionToRead {
  readonly folder: string;
  /** Where the reading of its log ended before. */
  readonly logEnd: FoldEnd<SessionLog> | undefined;
  /** What was counted of its model calls before. */
  readonly counted: CountedCalls | undefined;
}

export interface ReadSession {
  readonly facts: LoggedFacts;
  /** For the next reading, which goes on from there. */
  readonly logEnd: FoldEnd<SessionLog> | undefined;
  readonly counted: CountedCalls | undefined;
  /** False where a file could not be read just now, or not all of it: the facts then lack what it contains. */
  readonly isComplete: boolean;
  readonly fault?: string | undefined;
}

/** Of a session that cannot be read: it is there, and something is wrong with it. */
export const UNREADABLE: LoggedFacts = { log: EMPTY_LOG, ends: [], warnings: 1 };

export const LISTED_NAMES = Object.values(LISTED_FILES);

/** How many identities a session has: its folder's, and its files'. */
export const LISTED = 1 + LISTED_NAMES.length;

export const IDENTITY = LISTED * NUMBERS_PER_IDENTITY;

/**
 * Reads what the list shows of sessions: their log whole, of their events the end. One that cannot be read costs none of the
 * others. A reading task.
 */
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
      // No error of one session fails the list. Opening it reports those that are expected.
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

/** A session of which a file cannot be read: the list says that something is wrong with it. */
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
  const ends = logs.map((events) => events.endOf(isRecent(newest, now)));
  // A trace that ends with its newest turn record is not read further.
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

  /** A file that may not be read costs only its own content. */
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

/** What the list shows of the sessions of a data directory. */
export const CACHED_SESSIONS: ValueKind<LoggedFacts> = { name: "sessions", shape: FACTS };

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

/** Whether the clock may matter: the logs of a session that may be running are read further back. */
export function mayRun({ log, ends }: LoggedFacts, now: number): boolean {
  return isRecent(newestInstant(log.newest, ...ends.map(({ newest }) => newest)), now);
}
