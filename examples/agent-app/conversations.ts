import type { ModelMessage } from "ai";

/** What the model has before it when the next turn of a session begins. */
export interface Conversation {
  messages: ModelMessage[];
  /** As the model last reported it. */
  tokens: number;
  /** The turn that is going on: the next one waits for it. */
  turn: Promise<unknown>;
}

/** The conversations of this process. After a restart a session goes on with an empty one; its history stays. */
export class Conversations {
  readonly #bySession = new Map<string, Conversation>();

  of(tenantId: string, sessionId: string): Conversation {
    const key = JSON.stringify([tenantId, sessionId]);
    const conversation = this.#bySession.get(key) ?? { messages: [], tokens: 0, turn: Promise.resolve() };
    this.#bySession.set(key, conversation);
    return conversation;
  }
}
