import { closeSync } from "node:fs";
import { link, mkdir, readdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type {
  SessionKey,
  SessionStart,
  SessionStore,
  SessionUpdate,
  StoredOrchestrationEvent,
  TurnRecord,
} from "../../application/ports/session-store.js";
import { runInSlices } from "../../application/slices.js";
import type { Message } from "../../domain/message.js";
import { EMPTY_LOG, LOG_FOLD, type SessionLog } from "../../domain/session-log.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace-envelope.js";
import { openContained } from "../jsonl/contained-files.js";
import { foldLines } from "../jsonl/fold-lines.js";
import { AppendQueues } from "./append-queues.js";
import { type SessionFiles, sessionFiles } from "./session-files.js";

/**
 * Writes what `FilesystemDataSource` reads. One writer a session: two processes that write to one session would not lose a
 * record, but their sequences would not know of each other.
 */
export class FilesystemSessionStore implements SessionStore {
  readonly #dataDir: string;
  readonly #queues = new AppendQueues();

  constructor(dataDir: string) {
    this.#dataDir = path.resolve(dataDir);
  }

  async openSession(start: SessionStart): Promise<{ readonly turns: number }> {
    const files = this.#filesOf(start);
    await mkdir(files.folder, { recursive: true });
    const { turns, createdAt } = await runInSlices(readLog(this.#dataDir, files.session));
    if (createdAt === undefined) {
      await this.#append(files.session, [{ type: "init", ...start, title: start.title ?? null }]);
    }
    return { turns };
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
    await this.#queues.run(files.messages, () => archiveAndReplace(files, text));
  }

  async close(): Promise<void> {
    await this.#queues.idle();
  }

  #filesOf({ tenantId, sessionId }: SessionKey): SessionFiles {
    return sessionFiles(this.#dataDir, tenantId, sessionId);
  }

  async #append(file: string, records: readonly object[]): Promise<void> {
    if (records.length === 0) return;
    await this.#queues.append(file, toLines(records));
  }
}

function* readLog(dataDir: string, log: string): Generator<void, SessionLog> {
  const file = openContained(dataDir, log);
  if (file === undefined) return EMPTY_LOG;
  try {
    return (yield* foldLines(file, undefined, LOG_FOLD, Number.POSITIVE_INFINITY)).value;
  } finally {
    closeSync(file.descriptor);
  }
}

function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/**
 * The old conversation stays readable until the new one is whole: it gets a second name in the archive, and the new file is
 * renamed over the first.
 */
async function archiveAndReplace(files: SessionFiles, text: string): Promise<void> {
  await mkdir(files.compactions, { recursive: true });
  const archived = (await readdir(files.compactions)).map((name) => Number.parseInt(name, 10));
  const number = Math.max(0, ...archived.filter(Number.isInteger)) + 1;
  const archive = path.join(files.compactions, `${String(number).padStart(4, "0")}.jsonl`);
  await link(files.messages, archive).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error; // no messages before: there is nothing to archive
  });
  const next = `${files.messages}.next`;
  await writeFile(next, text);
  await rename(next, files.messages);
}
