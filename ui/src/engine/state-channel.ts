import type { SessionState } from "./trace/trace-protocol.js";

/** Large members; unchanged ones are the same objects from state to state. */
const LARGE = ["agents", "tracedAgents", "overview"] as const;

type LargeMembers = Pick<SessionState, (typeof LARGE)[number]>;

export type PackedState = Omit<SessionState, keyof LargeMembers> & Partial<LargeMembers>;

/** The worker's side. Copying thousands of agents at each change would take longer than a frame. */
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

/** The page's side: unchanged members stay the same objects. */
export class StateReceiver {
  #sent: LargeMembers | undefined;

  /** @param packed in the order of packing, starting with the first */
  unpack(packed: PackedState): SessionState {
    const { agents, tracedAgents, overview }: LargeMembers = { ...this.#sent!, ...packed };
    this.#sent = { agents, tracedAgents, overview };
    return { ...packed, ...this.#sent };
  }
}
