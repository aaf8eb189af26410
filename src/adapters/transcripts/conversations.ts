import { ConversationState } from "./conversation-state.js";

/** The conversations of one file: the first one is the file's own. */
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

  /**
   * Returns the conversation of an agent; creates it if it is new.
   *
   * @param isProgress true if only records within other records contain it: it is stored separately from the agent's own lines
   */
  of(agentId: string, isProgress = false): ConversationState {
    const key = `${isProgress ? "progress" : ""}\0${agentId}`;
    const ordinal = this.#ordinals.get(key);
    if (ordinal !== undefined) return this.list[ordinal]!;
    const conversation = new ConversationState(agentId, this.list.length, isProgress);
    this.#ordinals.set(key, conversation.ordinal);
    this.list.push(conversation);
    return conversation;
  }

  /** Returns the conversation of a record that names no agent, by the record that it follows. */
  behind(parentId: string, recordId: string): ConversationState {
    const conversation = this.#aliases.get(parentId) ?? this.of(recordId || "sidechain");
    this.#aliases.set(recordId, conversation);
    return conversation;
  }
}
