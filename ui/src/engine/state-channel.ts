import type { SessionState } from "./trace-protocol.js";

/** The members that may be large, and are the same objects from one state to the next as long as what they are made of is. */
const LARGE = ["agents", "tracedAgents", "overview"] as const;

type LargeMembers = Pick<SessionState, (typeof LARGE)[number]>;

/** The state of a session as the worker sends it: without the large members that it sent before and that are the same still. */
export type PackedState = Omit<SessionState, keyof LargeMembers> & Partial<LargeMembers>;

/**
 * The worker's end. What is sent is copied, on the page's side too: with thousands of agents that would take longer than a frame at each
 * change of anything.
 */
export class StateSender {
  #sent: Partial<LargeMembers> = {};

  pack(state: SessionState): PackedState {
    const packed: Partial<SessionState> & Omit<SessionState, keyof LargeMembers> = { ...state };
    for (const name of LARGE) if (this.#sent[name] === state[name]) delete packed[name];
    const { agents, tracedAgents, overview } = state;
    this.#sent = { agents, tracedAgents, overview };
    return packed;
  }
}

/** The page's end: returns complete states, in which unchanged members are the same objects as before. */
export class StateReceiver {
  #known: LargeMembers | undefined;

  /** @param packed in the order in which they were packed, starting with the first */
  unpack(packed: PackedState): SessionState {
    const { agents, tracedAgents, overview }: LargeMembers = { ...this.#known!, ...packed };
    this.#known = { agents, tracedAgents, overview };
    return { ...packed, ...this.#known };
  }
}
