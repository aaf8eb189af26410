import type { OrchestrationSnapshot } from "../../domain/orchestration/orchestration.js";
import type { ReadingTask } from "./reading-pool.js";
import type { MessageStream, RecordStream, RecordWarning, TraceStream } from "./record-stream.js";

/** What `loadOrchestrationState` returns. */
export interface OrchestrationState {
  readonly snapshot: OrchestrationSnapshot;
  /** What of the state could not be read (events, a checkpoint), where there is some and nothing else reports it. */
  readonly warnings?: readonly RecordWarning[];
}

/** The orchestration of a session. */
export interface OrchestrationLog {
  /** The events as stored. */
  readonly events: RecordStream;
  /** The state after all of them; `null` where there is none, although there may be events. */
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
   * Adds all records of the session to an analysis that goes on in a thread: the envelopes in the order of the trace, and the messages of every
   * conversation. For a source whose threads read the records anyway, so that none is written as text, moved and parsed again. Without it
   * `trace`, `orchestration` and `messages` are read.
   *
   * @param thread where the analysis goes on. The first `SessionAnalysis` of its state is this session's, which has been begun
   */
  readonly analyse?: ((thread: AnalysisThread) => Promise<void>) | undefined;

  /**
   * Says which parts will be asked for, so that they are loaded side by side. It returns at once, and fails nobody: a part that cannot be
   * loaded fails where it is asked for. Without it each part is loaded when it is asked for.
   */
  readonly begin?: ((parts: readonly SnapshotPart[]) => void) | undefined;
}

/** `state` is that of the orchestration. */
export type SnapshotPart = "trace" | "messages" | "orchestration" | "state";

/** Runs tasks where an analysis goes on: each is given what those before it have made. */
export interface AnalysisThread {
  call<Input, Output>(task: ReadingTask<SessionInput<Input>, Output>, input: Input): Promise<Output>;
}

/** What a task of a conversation is given in its thread: which conversation it is of, and its own input. */
export interface SessionInput<Input> {
  readonly session: string;
  readonly input: Input;
}
