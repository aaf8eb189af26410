import path from "node:path";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { SourceUnavailableError } from "../../../application/errors.js";
import type { RecordWarning } from "../../../application/ports/record-stream.js";
import { excerptOf } from "../../../domain/text/excerpt.js";
import { newestInstant } from "../../../domain/trace/instant.js";
import { faultReason, type Line } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import { readElements } from "../../files/bytes/read-elements.js";
import { readLines } from "../../files/bytes/read-lines.js";
import { cacheKey, type DiskCache, type ValueKind } from "../../files/cache/disk-cache.js";
import type { Shape } from "../../files/cache/value-shape.js";
import { identitiesOf } from "./file-lookups.js";
import type { TranscriptFormat } from "./format.js";
import { openLines } from "./open-lines.js";
import type { NamedSession, SessionIndex, StatedRetention } from "./surroundings.js";

const TITLE_LENGTH = 100;

const MOST_NAMED = 50_000;

interface NamedOf {
  readonly sessions: readonly NamedSession[];
}

const NAMED: Shape = {
  sessions: [{ sessionId: "text", tenantId: "text?", title: "text?", directory: "text?", at: "instant?" }],
};

export interface CachedSurroundings {
  readonly retention: StatedRetention | undefined;
  readonly named: readonly IndexedSession[];
  readonly warnings: readonly RecordWarning[];
}

export interface IndexedSession extends NamedSession {
  readonly namedIn: string;
}

/** Gemini CLI has one index per project. */
const MAX_CACHED = 1_000;

/** Reads the files that a format declares around its histories. Entries are cached until they change. */
export class SessionIndexes {
  readonly #format: TranscriptFormat;
  readonly #cached = new CachedWhileSame<string, readonly NamedSession[]>({ max: MAX_CACHED });

  constructor(format: TranscriptFormat) {
    this.#format = format;
  }

  *read(root: string, cache: DiskCache | undefined): Generator<void, CachedSurroundings> {
    const { indexes = [], retention } = this.#format.folder.surroundings?.(root) ?? {};
    const named: IndexedSession[] = [];
    const warnings: RecordWarning[] = [];
    for (const index of indexes) {
      const namedIn = path.basename(index.file);
      try {
        for (const one of yield* this.#sessionsOf(index, cache)) named.push({ ...one, namedIn });
      } catch (error) {
        // One failed index does not affect the others.
        const reason = error instanceof SourceUnavailableError ? error.message : faultReason(error);
        warnings.push({ file: namedIn, line: 1, reason });
      }
    }
    return { retention, named, warnings };
  }

  *#sessionsOf(index: SessionIndex, cache: DiskCache | undefined): Generator<void, readonly NamedSession[]> {
    const { folder, file } = index;
    const files = "read" in index ? [file, index.rest] : [file];
    const key = cacheKey(file, file, yield* identitiesOf(folder, files));
    const cached = this.#cached.get(file, key.stamp);
    if (cached !== undefined) return cached;
    const kind: ValueKind<NamedOf> = { name: `${this.#format.name} indexes`, shape: NAMED };
    const indexed = cache?.get(kind, key);
    if (indexed !== undefined) return this.#cached.keep(file, key.stamp, indexed.sessions);
    const sessions = [...(yield* readIndex(index)).values()].filter(({ title }) => title !== undefined);
    cache?.add(kind, key, { sessions });
    return key.isSettled ? this.#cached.keep(file, key.stamp, sessions) : sessions;
  }
}

function* readIndex(index: SessionIndex): Generator<void, Map<string, NamedSession>> {
  const sessions = new Map<string, NamedSession>();
  if ("read" in index) {
    for (const named of index.read()) addTo(sessions, named);
    return sessions;
  }
  const opened = yield* openLines(index.folder, index.file);
  if (opened === undefined) return sessions;
  const follow = (line: Line) => {
    const { record } = parseLine(line);
    const named = record === undefined ? undefined : index.named(record);
    if (named !== undefined) addTo(sessions, named);
  };
  try {
    const { descriptor, identity } = opened;
    if (index.isArray) {
      yield* readElements(descriptor, { to: identity.size, member: "" }, follow);
    } else {
      const { tail } = yield* readLines(descriptor, { from: 0, to: identity.size, line: 1 }, follow);
      if (tail !== undefined) follow(tail);
    }
  } finally {
    opened.close();
  }
  return sessions;
}

function addTo(sessions: Map<string, NamedSession>, named: NamedSession): void {
  const { sessionId, at } = named;
  const before = sessions.get(sessionId);
  if (before === undefined && sessions.size >= MOST_NAMED) return;
  const title =
    before?.title ?? (named.title === undefined ? undefined : excerptOf(named.title, TITLE_LENGTH));
  sessions.set(sessionId, {
    sessionId,
    tenantId: before?.tenantId ?? named.tenantId,
    title,
    directory: before?.directory ?? named.directory,
    at: newestInstant(before?.at, at),
  });
}
