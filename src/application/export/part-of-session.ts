import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";

/** The records of a session in a part of it: stored positions, in ascending order. */
export interface SessionPart {
  readonly envelopes: Uint32Array;
  /** Of each of these: its `sequence` in answers about the session. Absent where it is the stored one. */
  readonly sequences?: Uint32Array | undefined;
  /** The turns of the main agent that it has some of, as all of them are numbered from 1 on. */
  readonly turns: readonly number[];
  /** Of the orchestration. */
  readonly events: Uint32Array;
  /** Of the session's own conversation. */
  readonly messages: Uint32Array;
  /** Of the conversations of the sub-agents that are in the part. */
  readonly agents: ReadonlyMap<string, Uint32Array>;
}

/** @throws InvalidRequestError where the session has no such part */
export type ChoosePart = (snapshot: SessionSnapshot, options: ReadOptions) => Promise<SessionPart>;
