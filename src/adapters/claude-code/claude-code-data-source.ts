import { LRUCache } from "lru-cache";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import type { ReadOptions, RecordStream, TraceStream } from "../../application/ports/record-stream.js";
import { longFingerprint } from "../../domain/derived-id.js";
import { keysOfEnvelopes } from "../../domain/trace-sequence-merge.js";
import type { Message } from "../../domain/message.js";
import type { OrchestrationSnapshot } from "../../domain/orchestration.js";
import { replayOrchestration } from "../../domain/replay-orchestration.js";
import type { InspectorSessionItem } from "../../domain/session.js";
import type { WorkflowTraceEventEnvelope } from "../../domain/trace-envelope.js";
import { ContainedFiles } from "../jsonl/contained-files.js";
import { fileThread } from "../jsonl/file-thread.js";
import { FollowedFiles } from "../jsonl/followed-files.js";
import { readAllRecords } from "../jsonl/read-records.js";
import { readAgentMetas } from "./agent-metas.js";
import { FileHeads } from "./file-heads.js";
import { ForkFamilies } from "./fork-family.js";
import { messageStream } from "./message-stream.js";
import { orchestrationEventsOf } from "./orchestration-events.js";
import { ProjectCatalog, type ProjectProgress } from "./project-catalog.js";
import { ProjectLayout, type SessionFiles } from "./project-layout.js";
import { readRecordAt } from "./read-record-at.js";
import { agentsOf } from "./session-agents.js";
import { type ReadDepth, type ReadFile, SessionReader, warningsOf } from "./session-reader.js";
import { SessionTrace } from "./session-trace.js";
import { beginningOf } from "./trace-columns.js";

export interface ClaudeCodeDataSourceOptions {
  /** About how much memory may go into what was derived from files, in bytes. Default is 128 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Told once a second while the session list is being read. Default is nobody. */
  readonly onProgress?: ((progress: ProjectProgress) => void) | undefined;
  /**
   * Whether to begin the thread that looks at files now, and to keep it, so that no request waits for it. For a process that does
   * little else. Default is a thread that comes with a list and goes when there are none.
   */
  readonly keepsThread?: boolean | undefined;
  /** The clock, in milliseconds since the epoch. Default is the system's. */
  readonly now?: (() => number) | undefined;
}

const DEFAULT_CACHE_BYTES = 128 * 1024 * 1024;

/** How many sessions' traces are kept as they were put together last. */
const KEPT_TRACES = 32;

const NO_RECORDS: RecordStream = { size: 0, warnings: [], async *read() {} };

/** Reads a projects folder of Claude Code (`docs/claude-code.md`), also while Claude Code writes it. */
export class ClaudeCodeDataSource implements InspectorDataSource {
  readonly #files: ContainedFiles;
  readonly #followed: FollowedFiles;
  readonly #heads: FileHeads;
  readonly #layout: ProjectLayout;
  readonly #reader: SessionReader;
  readonly #catalog: ProjectCatalog;
  readonly #traces = new LRUCache<string, SessionTrace>({ max: KEPT_TRACES });

  constructor(projectsDir: string, options: ClaudeCodeDataSourceOptions = {}) {
    if (options.keepsThread) fileThread.keep();
    this.#files = new ContainedFiles(projectsDir);
    this.#followed = new FollowedFiles(this.#files, options.cacheBytes ?? DEFAULT_CACHE_BYTES);
    this.#heads = new FileHeads(this.#files);
    this.#layout = new ProjectLayout(this.#files, this.#heads);
    this.#reader = new SessionReader(this.#files, this.#followed);
    this.#catalog = new ProjectCatalog({
      layout: this.#layout,
      heads: this.#heads,
      followed: this.#followed,
      reader: this.#reader,
      now: options.now ?? Date.now,
      onProgress: options.onProgress,
    });
  }

  listSessions(options?: ReadOptions): Promise<InspectorSessionItem[]> {
    return this.#catalog.list(options);
  }

  async hasSession(tenantId: string, sessionId: string): Promise<boolean> {
    return (await this.#layout.find(tenantId, sessionId)) !== undefined;
  }

  /** Without ids: none, because a list of thousands of sessions costs as much to compare as to answer. */
  async revision(tenantId?: string, sessionId?: string): Promise<string | undefined> {
    if (tenantId === undefined || sessionId === undefined) return undefined;
    const session = await this.#layout.find(tenantId, sessionId);
    if (session === undefined) return undefined;
    const agents = session.agents.flatMap(({ path, metaPath }) => [path, metaPath]);
    let state = "";
    for (const path of [session.path, ...agents]) {
      const file = await this.#files.find(path);
      const now = file ? `${file.ino}.${file.size}.${file.mtimeMs}` : "-";
      state = longFingerprint(`${state} ${now}`);
    }
    return state;
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
    const found = await this.#read(tenantId, sessionId, "summary", options);
    if (found === undefined) return [];
    const agents = agentsOf(found.files, await readAgentMetas(this.#files, found.session.agents));
    const owner = { sessionId, begun: beginningOf(found.files) };
    return orchestrationEventsOf(owner, agents, (source, place) =>
      readRecordAt(this.#files, source, place, options),
    );
  }

  async loadOrchestrationState(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<{ snapshot: OrchestrationSnapshot } | null> {
    const events = await this.loadOrchestrationEvents(tenantId, sessionId, options);
    return events.length === 0 ? null : { snapshot: replayOrchestration(null, events) };
  }

  async streamTraceEnvelopes(
    tenantId: string,
    sessionId: string,
    options?: ReadOptions,
  ): Promise<TraceStream> {
    const found = await this.#read(tenantId, sessionId, "trace", options);
    if (found === undefined) return { ...NO_RECORDS, keys: keysOfEnvelopes([]) };
    const key = `${tenantId}\0${sessionId}`;
    let trace = this.#traces.get(key);
    if (trace === undefined || !isOf(trace, found.files)) {
      trace = await SessionTrace.of({ tenantId, sessionId }, found.files);
      this.#traces.set(key, trace);
    }
    return trace.stream(this.#files);
  }

  async streamMessages(tenantId: string, sessionId: string, options?: ReadOptions): Promise<RecordStream> {
    const found = await this.#read(tenantId, sessionId, "trace", options);
    const [main] = found?.files ?? [];
    if (main === undefined) return NO_RECORDS;
    const { path, identity, file } = main;
    return { ...messageStream(this.#files, path, identity, file.messages), warnings: warningsOf([main]) };
  }

  async #read(
    tenantId: string,
    sessionId: string,
    depth: ReadDepth,
    options: ReadOptions | undefined,
  ): Promise<{ readonly session: SessionFiles; readonly files: readonly ReadFile[] } | undefined> {
    const sessions = await this.#layout.sessions(tenantId, sessionId);
    const session = sessions.find((candidate) => candidate.sessionId === sessionId);
    if (session === undefined) return undefined;
    const families = await ForkFamilies.of(sessions, this.#heads, this.#followed);
    const files = await this.#reader.read(session, families, depth, options);
    return { session, files };
  }
}

/** Whether a trace was put together from these very readings. */
function isOf(trace: SessionTrace, files: readonly ReadFile[]): boolean {
  return (
    trace.sources.length === files.length && trace.sources.every(({ file }, i) => file === files[i]!.file)
  );
}
