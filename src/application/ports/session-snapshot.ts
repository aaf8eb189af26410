import type { OrchestrationSnapshot } from "../../domain/trace/orchestration.js";
import type { ReadingTask } from "./reading-pool.js";
import type { MessageStream, RecordStream, RecordWarning, TraceStream } from "./record-stream.js";

export interface OrchestrationState {
  readonly snapshot: OrchestrationSnapshot;
  /** Unreadable parts of the state (events, a checkpoint) that nothing else reports. */
  readonly warnings?: readonly RecordWarning[];
}

export interface OrchestrationLog {
  readonly events: RecordStream;
  /** The state after all of them; `null` without a state, although there may be events. */
  state(): Promise<OrchestrationState | null>;
}

/**
 * One session at the time of its opening: records that are added later belong to the next snapshot. Nothing stays open between two reads,
 * so it need not be closed. The signal of `openSession` stops its reads as well.
 */
export interface SessionSnapshot {
  /**
   * An opaque string that changes whenever a part of the snapshot would: it becomes the `ETag`. `undefined` if the source does not know;
   * then every request is answered in full.
   */
  readonly revision: string | undefined;

  trace(): Promise<TraceStream>;

  /** @param agentId of a sub-agent's conversation; without it, the session's own. An agent without messages gives an empty stream */
  messages(agentId?: string): Promise<MessageStream>;

  orchestration(): Promise<OrchestrationLog>;

  /**
   * Adds all records of the session to an analysis in a thread: the envelopes in trace order, and the messages of every conversation. For
   * a source whose threads read the records anyway. Without it `trace`, `orchestration` and `messages` are read.
   * @param thread the thread of the analysis. The first `SessionAnalysis` of its state is this session's, and it has begun
   */
  readonly analyse?: ((thread: AnalysisThread) => Promise<void>) | undefined;

  /**
   * Announces the next requested parts, so that they load in parallel. It returns at once, and never fails: a part that cannot be loaded
   * fails at its request.
   */
  readonly begin?: ((parts: readonly SnapshotPart[]) => void) | undefined;
}

/** `state` is that of the orchestration. */
type SnapshotPart = "trace" | "messages" | "orchestration" | "state";

/** Runs tasks in the thread of an analysis: each task gets the results of the earlier ones. */
export interface AnalysisThread {
  call<Input, Output>(task: ReadingTask<SessionInput<Input>, Output>, input: Input): Promise<Output>;
}

export interface SessionInput<Input> {
  readonly session: string;
  readonly input: Input;
}
