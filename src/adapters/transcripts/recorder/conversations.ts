import { ConversationState } from "./conversation-state.js";

export class Conversations {
  readonly list: ConversationState[] = [];
  readonly #ordinals = new Map<string, number>();
  readonly #aliases = new Map<string, ConversationState>();

  constructor(agentId: string) {
    this.of(agentId);
  }

  get bytes(): number {
    const messages = this.list.reduce((sum, { messages }) => sum + (messages?.bytes ?? 0), 0);
    return this.list.length * 500 + this.#aliases.size * 100 + messages;
  }

  get main(): ConversationState {
    return this.list[0]!;
  }

  /** @param isProgress true if only nested records contain it: it is then separate from the agent's own lines */
  of(agentId: string, isProgress = false): ConversationState {
    const key = `${isProgress ? "progress" : ""}\0${agentId}`;
    const ordinal = this.#ordinals.get(key);
    if (ordinal !== undefined) return this.list[ordinal]!;
    const conversation = new ConversationState(agentId, this.list.length, isProgress);
    this.#ordinals.set(key, conversation.ordinal);
    this.list.push(conversation);
    return conversation;
  }

  behind(parentId: string, recordId: string): ConversationState {
    const conversation = this.#aliases.get(parentId) ?? this.of(recordId || "sidechain");
    this.#aliases.set(recordId, conversation);
    return conversation;
  }
}
