import type { OrchestrationSnapshot } from "../../domain/trace/orchestration.js";
import type { ReadingTask } from "./reading-pool.js";
import type { MessageStream, RecordStream, RecordWarning, TraceStream } from "./record-stream.js";

/** Result of `loadOrchestrationState`. */
export interface OrchestrationState {
  readonly snapshot: OrchestrationSnapshot;
  /** Unreadable parts of the state (events, a checkpoint), if there are any and nothing else reports them. */
  readonly warnings?: readonly RecordWarning[];
}

/** The orchestration of a session. */
export interface OrchestrationLog {
  /** The events as stored. */
  readonly events: RecordStream;
  /** The state after all of them; `null` without a state, although there may be events. */
  state(): Promise<OrchestrationState | null>;
}

/**
 * One session as it was when it was opened. All parts agree with each other: records that are added later belong to the next
 * snapshot. Nothing stays open between two reads, so a snapshot need not be closed. The signal that the session was opened
 * with stops its reads as well.
 */
export interface SessionSnapshot {
  /**
   * An opaque string that changes whenever a part of the snapshot would: it becomes the `ETag`. `undefined` where the source
   * does not know; then every request is answered in full.
   */
  readonly revision: string | undefined;

  trace(): Promise<TraceStream>;

  /**
   * The messages of a conversation.
   *
   * @param agentId a sub-agent's conversation; without it, the session's own. An agent that has none gives an empty stream
   */
  messages(agentId?: string): Promise<MessageStream>;

  orchestration(): Promise<OrchestrationLog>;

  /**
   * Adds all records of the session to an analysis in a thread: the envelopes in trace order, and the messages of every conversation. It
   * is for a source whose threads read the records anyway, so that no record is written as text, moved and parsed again. Without this
   * member `trace`, `orchestration` and `messages` are read.
   *
   * @param thread the thread of the analysis. The first `SessionAnalysis` of its state is this session's, and it has begun
   */
  readonly analyse?: ((thread: AnalysisThread) => Promise<void>) | undefined;

  /**
   * Announces the parts that will be requested, so that they are loaded in parallel. It returns at once, and never fails: a part that
   * cannot be loaded fails at its request. Without this member each part is loaded at its request.
   */
  readonly begin?: ((parts: readonly SnapshotPart[]) => void) | undefined;
}

/** `state` is that of the orchestration. */
type SnapshotPart = "trace" | "messages" | "orchestration" | "state";

/** Runs tasks in the thread of an analysis: each task gets the results of the earlier ones. */
export interface AnalysisThread {
  call<Input, Output>(task: ReadingTask<SessionInput<Input>, Output>, input: Input): Promise<Output>;
}

/** Input of a session's task in its thread: the session, and the task's own input. */
export interface SessionInput<Input> {
  readonly session: string;
  readonly input: Input;
}
