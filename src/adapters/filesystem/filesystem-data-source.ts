import { readFile } from "node:fs/promises";
import type {
  InspectorDataSource,
  OrchestrationState,
  SessionSearch,
} from "../../application/ports/inspector-data-source.js";
import type {
  ReadOptions,
  RecordStream,
  RecordWarning,
  TraceStream,
} from "../../application/ports/record-stream.js";
import { selectSessions } from "../../application/select-sessions.js";
import { runInSlices } from "../../application/slices.js";
import { longFingerprint } from "../../domain/derived-id.js";
import { isJsonObject } from "../../domain/json.js";
import type { Message } from "../../domain/message.js";
import type { OrchestrationSnapshot } from "../../domain/orchestration.js";
import { replayOrchestration } from "../../domain/replay-orchestration.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import type { DescribedItem } from "../../domain/session-log.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace-envelope.js";
import type { TraceKeys } from "../../domain/trace-order.js";
import { keysOfEnvelopes } from "../../domain/trace-sequence-merge.js";
import { ContainedFiles } from "../jsonl/contained-files.js";
import { fileThread } from "../jsonl/file-thread.js";
import { type FileView, FollowedFiles } from "../jsonl/followed-files.js";
import { KeptBatches } from "../jsonl/kept-batches.js";
import { readAllRecords, readRecords } from "../jsonl/read-records.js";
import { type RecordPlaces, recordIndex } from "../jsonl/record-index.js";
import { traceIndex } from "../jsonl/trace-index.js";
import { type ListProgress, SessionCatalog } from "./session-catalog.js";
import { nameInSession, type SessionFiles, sessionFiles } from "./session-files.js";
import { SessionLooks } from "./session-looks.js";

export interface FilesystemDataSourceOptions {
  /** About how much memory may go into what was derived from files, in bytes. Default is 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Told once a second while the session list is being read. Default is nobody. */
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
  /**
   * Whether to begin the thread that looks at files now, and to keep it, so that no request waits for it and its memory stays in use.
   * For a process that does little else. Default is a thread that comes with a request and goes when there are none.
   */
  readonly keepsThread?: boolean | undefined;
  /** The clock, in milliseconds since the epoch. Default is the system's. */
  readonly now?: (() => number) | undefined;
}

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;

const NO_KEYS: TraceKeys = keysOfEnvelopes([]);

/** Reads a data directory (`docs/data-directory.md`) that an agent application may be writing at the same time. */
export class FilesystemDataSource implements InspectorDataSource {
  readonly #files: ContainedFiles;
  readonly #followed: FollowedFiles;
  readonly #catalog: SessionCatalog;
  readonly #looks: SessionLooks;
  readonly #batches = new KeptBatches();

  constructor(dataDir: string, options: FilesystemDataSourceOptions = {}) {
    if (options.keepsThread) fileThread.keep();
    this.#files = new ContainedFiles(dataDir);
    this.#followed = new FollowedFiles(this.#files, options.cacheBytes ?? DEFAULT_CACHE_BYTES);
    this.#looks = new SessionLooks(this.#files);
    this.#catalog = new SessionCatalog({
      files: this.#files,
      followed: this.#followed,
      now: options.now ?? Date.now,
      onProgress: options.onProgress,
    });
  }

  listSessions(options?: ReadOptions): Promise<InspectorSessionItem[]> {
    return this.findSessions({}, options);
  }

  async findSessions(search: SessionSearch, options?: ReadOptions): Promise<InspectorSessionItem[]> {
    const { items } = await this.#catalog.list(options);
    const found = await runInSlices(selectSessions(items, search), options?.signal);
    return runInSlices(copySteps(found), options?.signal);
  }

  async hasSession(tenantId: string, sessionId: string, options?: ReadOptions): Promise<boolean> {
    const { folder } = await this.#looks.look(this.#filesOf(tenantId, sessionId), options);
    return folder !== null;
  }

  async revision(tenantId?: string, sessionId?: string, options?: ReadOptions): Promise<string | undefined> {
    if (tenantId === undefined || sessionId === undefined)
      return (await this.#catalog.list(options)).revision;
    const look = await this.#looks.look(this.#filesOf(tenantId, sessionId), options);
    const state = [look.trace, look.messages, look.orchestration, look.checkpoint]
      .map((file) => (file ? `${file.inode}.${file.size}.${file.modifiedAt}` : "-"))
      .join(" ");
    return longFingerprint(state);
  }

  async loadTraceEnvelopes(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<WorkflowTraceEventEnvelope[]> {
    const stream = await this.streamTraceEnvelopes(tenantId, sessionId, options);
    return readAllRecords<WorkflowTraceEventEnvelope>(stream, options);
  }

  async loadMessages(tenantId: string, sessionId: string, options?: ReadOptions): Promise<Message[]> {
    return readAllRecords<Message>(await this.streamMessages(tenantId, sessionId, options), options);
  }

  async loadOrchestrationEvents(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<unknown[]> {
    const files = this.#filesOf(tenantId, sessionId);
    const path = files.orchestration;
    const look = await this.#looks.look(files, options);
    const found = await this.#followed.read(path, "records", recordIndex, options, look.orchestration);
    return readAllRecords<unknown>(this.#stream(path, found), options);
  }

  async loadOrchestrationState(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<OrchestrationState | null> {
    const files = this.#filesOf(tenantId, sessionId);
    const path = files.orchestration;
    const look = await this.#looks.look(files, options);
    const [checkpoint, found] = await Promise.all([
      look.checkpoint === null ? null : this.#readCheckpoint(files.checkpoint, options),
      this.#followed.read(path, "records", recordIndex, options, look.orchestration),
    ]);
    const events = await readAllRecords<unknown>(this.#stream(path, found), options);
    const warnings = warningsOf(path, found?.view);
    if (checkpoint === null && events.length === 0 && warnings.length === 0) return null;
    return {
      snapshot: replayOrchestration(checkpoint, events),
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }

  async streamTraceEnvelopes(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<TraceStream> {
    const files = this.#filesOf(tenantId, sessionId);
    const { trace, orchestration } = files;
    const look = await this.#looks.look(files, options);
    const [found, events] = await Promise.all([
      this.#followed.read(trace, "trace", traceIndex, options, look.trace),
      this.#followed.read(orchestration, "records", recordIndex, options, look.orchestration),
    ]);
    const stream = this.#stream(trace, found && { identity: found.identity, view: found.view.places });
    const warnings = [...stream.warnings, ...warningsOf(orchestration, events?.view)];
    return { ...stream, warnings, keys: found?.view.keys ?? NO_KEYS };
  }

  async streamMessages(tenantId: string, sessionId: string, options?: ReadOptions): Promise<RecordStream> {
    const files = this.#filesOf(tenantId, sessionId);
    const path = files.messages;
    const look = await this.#looks.look(files, options);
    const found = await this.#followed.read(path, "records", recordIndex, options, look.messages);
    return this.#stream(path, found);
  }

  #filesOf(tenantId: string, sessionId: string): SessionFiles {
    return sessionFiles(this.#files.root, tenantId, sessionId);
  }

  #stream(path: string, found: FileView<RecordPlaces> | undefined): RecordStream {
    const files = this.#files;
    const batches = this.#batches;
    return {
      size: found?.view.size ?? 0,
      warnings: warningsOf(path, found?.view),
      async *read(selection, options) {
        if (found === undefined) return;
        const { identity, view } = found;
        yield* batches.read(path, identity, view.size, selection, () =>
          readRecords(files, path, identity, view, selection, options),
        );
      },
    };
  }

  /** A checkpoint that cannot be read is no loss: the whole log is replayed. */
  async #readCheckpoint(path: string, { signal }: ReadOptions = {}): Promise<OrchestrationSnapshot | null> {
    const file = (await this.#files.open(path))?.handle;
    if (file === undefined) return null;
    try {
      const value: unknown = JSON.parse(await readFile(file, { encoding: "utf8", signal }));
      return isJsonObject(value) ? (value as unknown as OrchestrationSnapshot) : null;
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    } finally {
      await file.close();
    }
  }
}

/** How many sessions are copied between two looks at the clock. */
const COPIED_AT_ONCE = 256;

function* copySteps(items: readonly DescribedItem[]): Generator<void, InspectorSessionItem[]> {
  const copies: InspectorSessionItem[] = [];
  for (const item of items) {
    copies.push({ ...item, usage: { ...item.usage } });
    if (copies.length % COPIED_AT_ONCE === 0) yield;
  }
  return copies;
}

function warningsOf(path: string, places: RecordPlaces | undefined): RecordWarning[] {
  return (places?.problems ?? []).map(({ line, reason }) => ({ file: nameInSession(path), line, reason }));
}
