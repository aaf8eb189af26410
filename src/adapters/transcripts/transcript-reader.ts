import type { Stats } from "node:fs";
import { LRUCache } from "lru-cache";
import { SourceChangedError, SourceUnavailableError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import { longFingerprint } from "../../domain/derived-id.js";
import { newestInstant } from "../../domain/instant.js";
import { jsonTextOf } from "../../domain/json-text/json-text-of.js";
import type { TraceKeys } from "../../domain/trace-order.js";
import { nameInside, statEntry } from "../jsonl/contained-files.js";
import type { CachePlace, DiskCache } from "../jsonl/disk-cache.js";
import type { FileState } from "../jsonl/file-growth.js";
import { identityAt, identityText, NUMBERS_PER_IDENTITY, setIdentity } from "../jsonl/file-identities.js";
import { cachedSummaries, summaryKey } from "./cached-summaries.js";
import { beginningOf, type ReadFile } from "./derived-file.js";
import type { Lineage, TranscriptFormat } from "./format.js";
import { orchestrationEventsOf } from "./orchestration-events.js";
import { readMessages } from "./read-messages.js";
import { agentsOf } from "./session-agents.js";
import { summarizeSession, type TranscriptSummary, unknownSummary } from "./session-summary.js";
import { SessionTrace, type TextBatch, textBatch } from "./session-trace.js";
import { TranscriptFileCache } from "./transcript-file-cache.js";
import type { FoundSession, TranscriptFile } from "./transcript-files.js";

/** The sessions of one tenant. */
export interface TenantSessions {
  readonly sessions: readonly FoundSession[];
  /** Of their files and of their relatives', session by session. */
  readonly identities: Float64Array;
  /** Why there may be more of them. */
  readonly warning?: RecordWarning;
}

/** A session as it was when it was opened. */
export interface OpenedSession extends FoundSession {
  readonly revision: string;
}

/** The trace of an opened session: which envelopes there are. */
export interface OpenedTrace {
  readonly keys: TraceKeys;
  readonly warnings: readonly RecordWarning[];
  /** Whether each message of the session's own conversation is in it: not those that another session wrote first. */
  readonly hasMessages: boolean;
}

/** The messages of one conversation of an opened session: how many there are. */
export interface OpenedMessages {
  readonly size: number;
  readonly warnings: readonly RecordWarning[];
  /** Its files as they were counted. */
  readonly states: readonly FileState[];
}

/** How many sessions' traces are cached. */
const KEPT_TRACES = 32;

/** How many lines of a file one list sums up, about: some seconds of work. The next list goes on from there. */
const SUMMED_UP_AT_ONCE = 500_000;

const NO_LINEAGE: Lineage = { name: "", isReplay: () => false };

/** What a thread reads of one folder of transcripts. Its caches only save time: any thread can answer any request. */
export class TranscriptReader {
  readonly #root: string;
  readonly #format: TranscriptFormat;
  readonly #files: TranscriptFileCache;
  readonly #traces = new LRUCache<string, SessionTrace>({ max: KEPT_TRACES });

  /** @param maxBytes about how much memory may go into what was derived from files */
  constructor(root: string, format: TranscriptFormat, maxBytes: number) {
    this.#root = root;
    this.#format = format;
    this.#files = new TranscriptFileCache(root, format, maxBytes);
  }

  /** The sessions of a tenant, as they are now; none where its folder cannot be read. */
  *discover(tenantId: string, cache?: CachePlace): Generator<unknown, TenantSessions> {
    try {
      const sessions = yield* this.#format.discover(this.#root, tenantId, cache);
      return { sessions, identities: yield* this.#identitiesOf(sessions.flatMap(pathsOf)) };
    } catch (error) {
      if (!(error instanceof SourceUnavailableError)) throw error;
      const warning = { file: tenantId, line: 1, reason: error.message };
      return { sessions: [], identities: new Float64Array(), warning };
    }
  }

  /** What the files of some sessions sum up to; `null` for one that has none any more. */
  *summarize(
    sessions: readonly FoundSession[],
    place?: CachePlace,
  ): Generator<unknown, (TranscriptSummary | null)[]> {
    const cache = place && cachedSummaries(place, this.#format.name);
    const summaries: (TranscriptSummary | null)[] = [];
    for (const session of sessions) {
      summaries.push(yield* this.#summarize(session, cache));
      yield;
    }
    return summaries;
  }

  *#summarize(
    session: FoundSession,
    cache: DiskCache<TranscriptSummary> | undefined,
  ): Generator<unknown, TranscriptSummary | null> {
    try {
      const key = cache && summaryKey(session, yield* this.#identitiesOf(pathsOf(session)));
      const { files, warnings } = yield* this.#read(session, false, SUMMED_UP_AT_ONCE);
      if (files.length === 0) return null;
      const summary = summarizeSession(files, this.#format, warnings.length);
      // A file that could not be read just now may be read the next time.
      const isWhole = summary.isComplete && files.length === session.files.length;
      if (key !== undefined && isWhole) cache?.set(key, summary);
      return summary;
    } catch (error) {
      // In the list, no error of one session takes another one. Opening it reports the reason.
      const mayPass = error instanceof SourceUnavailableError || error instanceof SourceChangedError;
      const written = session.files.map(({ path }) => this.#stat(path)?.mtimeMs);
      return unknownSummary(Math.floor(newestInstant(...written) ?? 0), !mayPass);
    }
  }

  /** A session as it is now; `undefined` where there is none. */
  *open(tenantId: string, sessionId: string): Generator<unknown, OpenedSession | undefined> {
    const session = yield* this.#format.locate(this.#root, tenantId, sessionId);
    if (session === undefined) return undefined;
    const { relatives: relativesOf } = this.#format;
    const relatives = relativesOf === undefined ? [] : yield* relativesOf(this.#root, session);
    const paths = session.files.flatMap(({ path, notePath }) =>
      notePath === undefined ? [path] : [path, notePath],
    );
    const identities = yield* this.#identitiesOf(paths);
    let revision = "";
    for (const i of paths.keys()) {
      revision = longFingerprint(`${revision} ${identityText(identityAt(identities, i))}`);
    }
    return { ...session, relatives, revision };
  }

  *trace(session: OpenedSession): Generator<unknown, OpenedTrace> {
    const { files, warnings } = yield* this.#read(session, true);
    const { trace, keys } = yield* SessionTrace.of(session.sessionId, files);
    this.#traces.set(traceKey(session), trace);
    return {
      keys,
      warnings,
      hasMessages: files.every((file) => !isConversation(file) || file.derived.replayed === 0),
    };
  }

  /** Which messages some envelopes of a trace that was opened show. */
  *messagesOf(session: OpenedSession, size: number, positions: Uint32Array): Generator<unknown, Int32Array> {
    const trace = yield* this.#openedTrace(session, size);
    return yield* trace.messagesOf(positions);
  }

  /** The envelopes at some positions of a trace that was opened: as many of them as go into one batch. */
  *readTrace(session: OpenedSession, size: number, positions: Uint32Array): Generator<unknown, TextBatch> {
    return yield* this.#forgetChanged(session, this.#readTrace(session, size, positions));
  }

  *#readTrace(session: OpenedSession, size: number, positions: Uint32Array): Generator<unknown, TextBatch> {
    const trace = yield* this.#openedTrace(session, size);
    return yield* trace.read(this.#root, this.#format, session, positions);
  }

  /** What turned out to be other than it was derived is derived anew the next time, however little seems to have changed. */
  *#forgetChanged<T>(session: OpenedSession, reading: Generator<unknown, T>): Generator<unknown, T> {
    try {
      return yield* reading;
    } catch (error) {
      if (error instanceof SourceChangedError) {
        this.#traces.delete(traceKey(session));
        this.#files.forget(session.files);
      }
      throw error;
    }
  }

  /** A trace that the cache evicted is put together again, as long as the files are the same. */
  *#openedTrace(session: OpenedSession, size: number): Generator<unknown, SessionTrace> {
    const known = this.#traces.get(traceKey(session));
    if (known?.size === size) return known;
    const now = yield* this.open(session.tenantId, session.sessionId);
    if (now?.revision !== session.revision)
      throw new SourceChangedError("The session changed while it was being read.");
    yield* this.trace(session);
    const trace = this.#traces.get(traceKey(session));
    if (trace?.size !== size) throw new SourceChangedError("The session changed while it was being read.");
    return trace;
  }

  /** The messages of a conversation; `agentId` is `""` for the session's own. */
  *messages(session: OpenedSession, agentId: string): Generator<unknown, OpenedMessages> {
    const files = yield* this.#readConversation(session, agentId);
    return {
      size: files.reduce((sum, { derived }) => sum + derived.messageStarts.length, 0),
      warnings: files.flatMap(warningsOf),
      states: files.map(({ derived: { identity, fingerprint } }) => ({ identity, fingerprint })),
    };
  }

  /** Messages of a conversation that was opened, byte for byte: as many as go into one batch. */
  *readMessages(
    session: OpenedSession,
    agentId: string,
    states: readonly FileState[],
    positions: Uint32Array,
  ): Generator<unknown, TextBatch> {
    const files = yield* this.#readConversation(session, agentId);
    if (files.length !== states.length) {
      throw new SourceChangedError(`${nameInside(this.#root, session.files[0].path)} is gone.`);
    }
    const { at, inFile } = leadingPositions(files, positions);
    const { messageMember } = this.#format;
    const reading = readMessages(this.#root, files[at]!, states[at]!, messageMember, inFile);
    return yield* this.#forgetChanged(session, reading);
  }

  /** The events of a session's sub-agents, as JSON texts. */
  *orchestration(session: OpenedSession): Generator<unknown, TextBatch> {
    // With the rows that the trace needs: whoever asks for the one asks for the other.
    const { files } = yield* this.#read(session, true);
    const agents = agentsOf(files, this.#files.notes(session.files), this.#format);
    const { sessionId } = session;
    const owner = { root: this.#root, format: this.#format, sessionId, begun: beginningOf(files) };
    const events = yield* orchestrationEventsOf(owner, agents);
    return textBatch(events.map((event) => jsonTextOf(event)!));
  }

  /** The files of a conversation, in their order. */
  *#readConversation(session: OpenedSession, agentId: string): Generator<unknown, ReadFile[]> {
    const files: ReadFile[] = [];
    for (const file of session.files) {
      if (file.agentId !== agentId && file.continues !== agentId) continue;
      const read = yield* this.#files.read(file, yield* this.#lineageOf(session, file), true);
      if (read !== undefined) files.push(read);
    }
    return files;
  }

  /** The files of a session. One of a sub-agent that may not be read takes only itself, with a warning. */
  *#read(
    session: FoundSession,
    keepsRows: boolean,
    linesAtOnce?: number,
  ): Generator<
    unknown,
    { readonly files: readonly ReadFile[]; readonly warnings: readonly RecordWarning[] }
  > {
    const files: ReadFile[] = [];
    const warnings: RecordWarning[] = [];
    const [main, ...agents] = session.files;
    const conversation = yield* this.#files.read(
      main,
      yield* this.#lineageOf(session, main),
      keepsRows,
      linesAtOnce,
    );
    if (conversation !== undefined) files.push(conversation);
    for (const agent of agents) {
      try {
        const lineage = yield* this.#lineageOf(session, agent);
        const file = yield* this.#files.read(agent, lineage, keepsRows, linesAtOnce);
        if (file !== undefined) files.push(file);
      } catch (error) {
        if (!(error instanceof SourceUnavailableError)) throw error;
        warnings.push({
          file: this.#files.nameOf(agent.path),
          line: 1,
          reason: `and all lines behind it: ${error.message}`,
        });
      }
    }
    return { files, warnings: [...files.flatMap(warningsOf), ...warnings] };
  }

  *#lineageOf(session: FoundSession, file: TranscriptFile): Generator<unknown, Lineage> {
    if (session.relatives.length === 0 && file.copiedFrom === undefined) return NO_LINEAGE;
    const { lineage } = this.#format;
    return lineage === undefined ? NO_LINEAGE : yield* lineage(this.#root, session, file);
  }

  *#identitiesOf(paths: readonly string[]): Generator<void, Float64Array> {
    const identities = new Float64Array(paths.length * NUMBERS_PER_IDENTITY);
    for (const [i, path] of paths.entries()) {
      setIdentity(identities, i, this.#stat(path));
      yield;
    }
    return identities;
  }

  #stat(path: string): Stats | undefined {
    try {
      const stats = statEntry(this.#root, path);
      return stats?.isFile() ? stats : undefined;
    } catch (error) {
      if (error instanceof SourceUnavailableError) return undefined;
      throw error;
    }
  }
}

/** The files that a session's summary is made of: its own, and those of its relatives. */
function pathsOf(session: FoundSession): string[] {
  return [session, ...session.relatives].flatMap(({ files }) => files.map(({ path }) => path));
}

/** Whether a file holds the session's own conversation, or a part of it. */
function isConversation({ agentId, continues }: TranscriptFile): boolean {
  return agentId === "" || continues === "";
}

/** Those of the first positions that lie in one file: which one, and where in it. */
function leadingPositions(
  files: readonly ReadFile[],
  positions: Uint32Array,
): { readonly at: number; readonly inFile: Uint32Array } {
  const [first = 0] = positions;
  let at = 0;
  let from = 0;
  let to = files[0]!.derived.messageStarts.length;
  while (at < files.length - 1 && first >= to) {
    from = to;
    to += files[++at]!.derived.messageStarts.length;
  }
  const isLast = at === files.length - 1;
  const others = positions.findIndex((position) => position < from || (position >= to && !isLast));
  return { at, inFile: positions.slice(0, others === -1 ? undefined : others).map((one) => one - from) };
}

function traceKey({ tenantId, sessionId, revision }: OpenedSession): string {
  return `${tenantId}\0${sessionId}\0${revision}`;
}

function warningsOf({ name, derived }: ReadFile): RecordWarning[] {
  return derived.problems.map(({ line, reason }) => ({ file: name, line, reason }));
}
