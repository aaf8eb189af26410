import { closeSync } from "node:fs";
import path from "node:path";
import type {
  SessionStart,
  SessionStore,
  SessionUpdate,
  StoredOrchestrationEvent,
  TurnRecord,
} from "../../application/ports/session-store.js";
import { runInSlices } from "../../application/threads/slices.js";
import type { Message } from "../../domain/conversation/message.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import type { SessionKey } from "../../domain/session/session-key.js";
import { EMPTY_LOG, LOG_FOLD, type SessionLog } from "../../domain/session/session-log.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace/trace-envelope.js";
import { openContained } from "../files/bytes/contained-files.js";
import { inFolder } from "../files/bytes/contained-writes.js";
import { AppendQueues } from "./append-lines.js";
import { foldLines } from "./fold-lines.js";
import { linkNew, withDraft } from "./new-files.js";
import { replaceConversation } from "./replace-conversation.js";
import { filesIn, type SessionFiles, sessionFiles } from "./session-files.js";

/**
 * Any number of stores may write to a directory, also to one session, in several processes of one machine. Each acknowledged record is
 * stored once and completely.
 */
export class FilesystemSessionStore implements SessionStore {
  readonly #dataDir: string;
  readonly #queues: AppendQueues;

  constructor(dataDir: string) {
    this.#dataDir = path.resolve(dataDir);
    this.#queues = new AppendQueues(this.#dataDir);
  }

  /** Later calls for the session wait for it, in the files of all lists. Otherwise they would be stored before the beginning. */
  openSession(start: SessionStart): Promise<{ readonly turns: number }> {
    const files = this.#filesOf(start);
    const init = { type: "init", ...start, title: start.title ?? null };
    const opened = this.#queues.run(files.session, () => this.#open(files, init));
    const settled = opened.then(ignore, ignore);
    for (const list of [files.trace, files.orchestration, files.messages]) {
      void this.#queues.run(list, () => settled);
    }
    return opened;
  }

  updateSession(session: SessionKey, update: SessionUpdate): Promise<void> {
    return this.#append(this.#filesOf(session).session, [{ type: "update", ...update }]);
  }

  appendTurn(session: SessionKey, turn: TurnRecord): Promise<void> {
    return this.#append(this.#filesOf(session).session, [{ type: "turn", ...turn }]);
  }

  appendTraceEnvelopes(session: SessionKey, envelopes: readonly WorkflowTraceEventEnvelope[]): Promise<void> {
    return this.#append(this.#filesOf(session).trace, envelopes);
  }

  appendOrchestrationEvents(session: SessionKey, events: readonly StoredOrchestrationEvent[]): Promise<void> {
    return this.#append(this.#filesOf(session).orchestration, events);
  }

  appendMessages(session: SessionKey, messages: readonly Message[]): Promise<void> {
    return this.#append(this.#filesOf(session).messages, messages);
  }

  async replaceMessages(session: SessionKey, messages: readonly Message[]): Promise<void> {
    const files = this.#filesOf(session);
    const text = toLines(messages);
    await this.#queues.run(files.messages, () =>
      inFolder(this.#dataDir, files.folder, (folder) =>
        inFolder(this.#dataDir, files.compactions, (compactions) =>
          replaceConversation({ ...filesIn(folder.path), compactions: compactions.path }, text),
        ),
      ),
    );
  }

  async close(): Promise<void> {
    await this.#queues.idle();
  }

  #filesOf({ tenantId, sessionId }: SessionKey): SessionFiles {
    return sessionFiles(this.#dataDir, tenantId, sessionId);
  }

  async #open(files: SessionFiles, init: object): Promise<{ readonly turns: number }> {
    const log = await this.#readLog(files);
    if (log === undefined && (await createLog(this.#dataDir, files, init))) return { turns: 0 };
    const { turns, createdAt } = log ?? (await this.#readLog(files)) ?? EMPTY_LOG;
    if (createdAt === undefined) await this.#queues.appendNow(files.session, toLines([init]));
    return { turns };
  }

  #readLog({ session }: SessionFiles): Promise<SessionLog | undefined> {
    return runInSlices(readLog(this.#dataDir, session));
  }

  async #append(file: string, records: readonly object[]): Promise<void> {
    if (records.length === 0) return;
    await this.#queues.append(file, toLines(records));
  }
}

function* readLog(dataDir: string, log: string): Generator<void, SessionLog | undefined> {
  const file = openContained(dataDir, log);
  if (file === undefined) return undefined;
  try {
    return (yield* foldLines(file, undefined, LOG_FOLD, Number.POSITIVE_INFINITY)).value;
  } finally {
    closeSync(file.descriptor);
  }
}

/** Only one of several simultaneous calls creates the log, together with its beginning. */
function createLog(dataDir: string, files: SessionFiles, init: object): Promise<boolean> {
  return inFolder(dataDir, files.folder, (folder) =>
    withDraft(folder.path, toLines([init]), (draft) => linkNew(draft, filesIn(folder.path).session)),
  );
}

function ignore(): void {}

function toLines(records: readonly object[]): string {
  return records.map((record) => `${jsonTextOf(record)}\n`).join("");
}
