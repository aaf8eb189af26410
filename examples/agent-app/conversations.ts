import type { ModelMessage } from "ai";

/** The model's context at the next turn of a session. */
export interface Conversation {
  messages: ModelMessage[];
  /** As the model last reported it. */
  tokens: number;
  /** The current turn: the next one waits for it. */
  turn: Promise<unknown>;
}

/** Conversations of this process. After a restart a session continues with an empty one; its history stays. */
export class Conversations {
  readonly #bySession = new Map<string, Conversation>();

  of(tenantId: string, sessionId: string): Conversation {
    const key = JSON.stringify([tenantId, sessionId]);
    const conversation = this.#bySession.get(key) ?? { messages: [], tokens: 0, turn: Promise.resolve() };
    this.#bySession.set(key, conversation);
    return conversation;
  }
}
