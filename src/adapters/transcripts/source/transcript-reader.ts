import { LRUCache } from "lru-cache";
import { SourceChangedError } from "../../../application/errors.js";
import type { RecordWarning } from "../../../application/ports/record-stream.js";
import type { StoredOrchestrationEvent } from "../../../application/ports/session-store.js";
import type { ConversationOutline } from "../../../domain/conversation/conversation-outline.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { keyText } from "../../../domain/session/session-key.js";
import type { SessionAnalysis } from "../../../domain/summary/session-analysis.js";
import { longFingerprint } from "../../../domain/text/fingerprints.js";
import type { TraceKeys } from "../../../domain/trace/trace-order.js";
import { nameInside } from "../../files/bytes/contained-files.js";
import type { FileState } from "../../files/bytes/file-growth.js";
import { type FileIdentity, identityAt, identityText } from "../../files/bytes/file-identities.js";
import { identitiesOf } from "../folder/file-lookups.js";
import type { TranscriptFormat } from "../folder/format.js";
import { ZSTANDARD_FILES } from "../folder/packed-files.js";
import { isOwnConversation, type TranscriptFileGroup } from "../folder/transcript-files.js";
import { analyseSession } from "../trace/analyse-session.js";
import { agentsWithin, beginningOf, type SessionFile } from "../trace/derived-file.js";
import { joinedOutline } from "../trace/joined-outline.js";
import { orchestrationEventsOf } from "../trace/orchestration-events.js";
import { readMessages } from "../trace/read-places.js";
import { agentsOf } from "../trace/session-agents.js";
import { type SessionFileReader, warningsOf } from "../trace/session-file-reader.js";
import { SessionTrace } from "../trace/session-trace.js";
import { type TextBatch, textBatch } from "../trace/text-batch.js";
import { findSession } from "./transcript-list.js";

export interface OpenedTranscript extends TranscriptFileGroup {
  readonly revision: string;
}

export interface OpenedTrace {
  readonly keys: TraceKeys;
  readonly fingerprints: Float64Array;
  readonly warnings: readonly RecordWarning[];
  /** True if every message of the session's own conversation is included, except copies from other sessions. */
  readonly hasMessages: boolean;
}

export interface OpenedMessages {
  readonly size: number;
  readonly fingerprints: Float64Array;
  readonly warnings: readonly RecordWarning[];
  readonly states: readonly FileState[];
  readonly outline: ConversationOutline;
}

const MAX_CACHED_TRACES = 32;

/** Runs in a thread. Its caches only save time: any thread can answer any request. */
export class TranscriptReader {
  readonly #root: string;
  readonly #format: TranscriptFormat;
  readonly #files: SessionFileReader;
  readonly #traces = new LRUCache<string, SessionTrace>({ max: MAX_CACHED_TRACES });

  constructor(root: string, format: TranscriptFormat, files: SessionFileReader) {
    this.#root = root;
    this.#format = format;
    this.#files = files;
  }

  *open(tenantId: string, sessionId: string): Generator<unknown, OpenedTranscript | undefined> {
    const session = yield* findSession(this.#root, this.#format, tenantId, sessionId);
    if (session === undefined) return undefined;
    const paths = session.files.flatMap(({ path, notePath }) =>
      notePath === undefined ? [path] : [path, notePath],
    );
    const identities = yield* identitiesOf(this.#root, paths, this.#format.folder.packed);
    let revision = "";
    for (const i of paths.keys()) {
      revision = longFingerprint(`${revision} ${identityText(identityAt(identities, i))}`);
    }
    return { ...session, revision, packed: this.#packedOf(paths, identities) };
  }

  #packedOf(paths: readonly string[], identities: Float64Array): Record<string, FileIdentity> {
    const { packed = ZSTANDARD_FILES } = this.#format.folder;
    const matches: Record<string, FileIdentity> = {};
    for (const [i, path] of paths.entries()) {
      const identity = packed.isPacked(path) ? identityAt(identities, i) : undefined;
      if (typeof identity === "object") matches[path] = identity;
    }
    return matches;
  }

  *trace(session: OpenedTranscript): Generator<unknown, OpenedTrace> {
    const { files, warnings } = yield* this.#files.read(session, true);
    const { trace, keys, fingerprints } = yield* SessionTrace.of(session.sessionId, files);
    this.#traces.set(keyText(session, session.revision), trace);
    return {
      keys,
      fingerprints,
      warnings,
      hasMessages: files.every((file) => !isOwnConversation(file) || file.derived.replayed === 0),
    };
  }

  *messagesOf(
    session: OpenedTranscript,
    size: number,
    positions: Uint32Array,
  ): Generator<unknown, Int32Array> {
    const trace = yield* this.#openedTrace(session, size);
    return yield* trace.messagesOf(positions);
  }

  *readTrace(session: OpenedTranscript, size: number, positions: Uint32Array): Generator<unknown, TextBatch> {
    return yield* this.#forgetChanged(session, this.#readTrace(session, size, positions));
  }

  *#readTrace(
    session: OpenedTranscript,
    size: number,
    positions: Uint32Array,
  ): Generator<unknown, TextBatch> {
    const trace = yield* this.#openedTrace(session, size);
    return yield* trace.read(this.#root, this.#format, session, positions);
  }

  /** Outdated data is derived again next time, even if the file seems unchanged. */
  *#forgetChanged<T>(session: OpenedTranscript, reading: Generator<unknown, T>): Generator<unknown, T> {
    try {
      return yield* reading;
    } catch (error) {
      if (error instanceof SourceChangedError) {
        this.#traces.delete(keyText(session, session.revision));
        this.#files.forget(session);
      }
      throw error;
    }
  }

  *#openedTrace(session: OpenedTranscript, size: number): Generator<unknown, SessionTrace> {
    const cached = this.#traces.get(keyText(session, session.revision));
    if (cached?.size === size) return cached;
    const now = yield* this.open(session.tenantId, session.sessionId);
    if (now?.revision !== session.revision)
      throw new SourceChangedError("The session changed while it was being read.");
    yield* this.trace(session);
    const trace = this.#traces.get(keyText(session, session.revision));
    if (trace?.size !== size) throw new SourceChangedError("The session changed while it was being read.");
    return trace;
  }

  /** @param agentId `""` for the session's own conversation */
  *messages(session: OpenedTranscript, agentId: string): Generator<unknown, OpenedMessages> {
    const files = yield* this.#files.readConversation(session, agentId);
    const size = files.reduce((sum, { derived }) => sum + derived.messageStarts.length, 0);
    const fingerprints = new Float64Array(size);
    let at = 0;
    for (const { derived } of files) {
      fingerprints.set(derived.messageContents, at);
      at += derived.messageContents.length;
    }
    return {
      size,
      fingerprints,
      warnings: files.flatMap(warningsOf),
      outline: joinedOutline(files),
      states: files.map(({ derived: { identity, fingerprint } }) => ({ identity, fingerprint })),
    };
  }

  *readMessages(
    session: OpenedTranscript,
    agentId: string,
    states: readonly FileState[],
    positions: Uint32Array,
  ): Generator<unknown, TextBatch> {
    const files = yield* this.#files.readConversation(session, agentId);
    if (files.length !== states.length) {
      throw new SourceChangedError(`${nameInside(this.#root, session.files[0].path)} is gone.`);
    }
    const { at, inFile } = leadingPositions(files, positions);
    const file = files[at]!;
    const folder = { root: this.#root, format: this.#format };
    const reading = readMessages(folder, file, states[at]!, inFile);
    return yield* this.#forgetChanged(session, reading);
  }

  *analyse(session: OpenedTranscript, analysis: SessionAnalysis): Generator<unknown, void> {
    const { files } = yield* this.#files.read(session, true);
    const { trace, keys } = yield* SessionTrace.of(session.sessionId, files);
    const conversations = new Map<string, readonly SessionFile[]>();
    for (const { agentId, continues } of session.files) {
      const speaker = continues ?? agentId;
      if (!conversations.has(speaker))
        conversations.set(speaker, yield* this.#files.readConversation(session, speaker));
    }
    for (const agentId of agentsWithin(files))
      if (!conversations.has(agentId))
        conversations.set(agentId, yield* this.#files.readConversation(session, agentId));
    const events = yield* this.#eventsOf(session, files);
    const about = {
      root: this.#root,
      format: this.#format,
      owner: session,
      trace,
      keys,
      events,
      conversations,
    };
    yield* this.#forgetChanged(session, analyseSession(about, analysis));
  }

  *orchestration(session: OpenedTranscript): Generator<unknown, TextBatch> {
    const { files } = yield* this.#files.read(session, true);
    const events = yield* this.#eventsOf(session, files);
    return textBatch(events.map((event) => jsonTextOf(event)!));
  }

  *#eventsOf(
    session: OpenedTranscript,
    files: readonly SessionFile[],
  ): Generator<void, readonly StoredOrchestrationEvent[]> {
    const agents = agentsOf(files, this.#files.notes(session), this.#format);
    const { sessionId } = session;
    const owner = { root: this.#root, format: this.#format, sessionId, begun: beginningOf(files) };
    return yield* orchestrationEventsOf(owner, agents);
  }
}

function leadingPositions(
  files: readonly SessionFile[],
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
