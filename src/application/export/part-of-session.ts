import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";

/** The records of a session in a part of it: stored positions, in ascending order. */
export interface SessionPart {
  readonly envelopes: Uint32Array;
  readonly sequences?: Uint32Array | undefined;
  readonly turns: readonly number[];
  readonly events: Uint32Array;
  readonly messages: Uint32Array;
  readonly agents: ReadonlyMap<string, Uint32Array>;
}

/** @throws InvalidRequestError where the session has no such part */
export type ChoosePart = (snapshot: SessionSnapshot, options: ReadOptions) => Promise<SessionPart>;
