import type { MessageStream, ReadOptions, RecordWarning } from "../../application/ports/record-stream.js";
import type { OrchestrationState, SessionSnapshot } from "../../application/ports/session-snapshot.js";
import type { ContextRemoval, ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import type { OrchestrationSnapshot } from "../../domain/trace/orchestration.js";
import { MOST_OUTLINE_WORK } from "./archive-bounds.js";
import { ArchivedRecords, EnvelopeRecords } from "./archived-records.js";
import { BoundedWarnings } from "./bounded-warnings.js";

export class ArchivedConversation extends ArchivedRecords {
  outline: ConversationOutline | undefined;

  boundOutline(warning: Omit<RecordWarning, "reason">): void {
    const { calls = [], removals = [] } = this.outline ?? {};
    const parts = removals.reduce((sum, removal) => sum + partsOf(removal), 0);
    if ((calls.length + this.texts.length) * parts <= MOST_OUTLINE_WORK) return;
    this.outline = undefined;
    const reason = `has an outline that is skipped: its calls and messages times its removals are more than ${MOST_OUTLINE_WORK.toLocaleString("en")}`;
    this.warnings.add({ ...warning, reason });
  }

  messageStream(opened: ReadOptions): MessageStream {
    const { outline } = this;
    const stream = this.stream(opened);
    return outline === undefined ? stream : { ...stream, outline };
  }
}

function partsOf({ messages, restored = [], seen: context = [], toolCallIds = [] }: ContextRemoval): number {
  return 1 + messages.length + restored.length + context.length + toolCallIds.length;
}

export class ArchivedHistory {
  readonly session: ListedSession;
  readonly revision: string | undefined;
  readonly trace = new EnvelopeRecords();
  readonly events = new ArchivedRecords();
  state: OrchestrationSnapshot | undefined;
  readonly stateWarnings = new BoundedWarnings();
  readonly #main = new ArchivedConversation();
  readonly #agents = new Map<string, ArchivedConversation>();

  constructor(session: ListedSession, revision: string | undefined) {
    this.session = session;
    this.revision = revision;
  }

  get conversations(): readonly ArchivedConversation[] {
    return [this.#main, ...this.#agents.values()];
  }

  hasConversation(agent: string | undefined): boolean {
    return agent === undefined || this.#agents.has(agent);
  }

  /** @param agent a sub-agent; `undefined` for the main agent. A new agent has no messages yet */
  conversation(agent: string | undefined): ArchivedConversation {
    if (agent === undefined) return this.#main;
    const existing = this.#agents.get(agent);
    if (existing !== undefined) return existing;
    const conversation = new ArchivedConversation();
    this.#agents.set(agent, conversation);
    return conversation;
  }

  open(options: ReadOptions): SessionSnapshot {
    return {
      revision: this.revision,
      trace: async () => this.trace.traceStream(this.#main.texts.length, options),
      messages: async (agentId) => {
        const conversation = agentId === undefined ? this.#main : this.#agents.get(agentId);
        return (conversation ?? this.#nobodys()).messageStream(options);
      },
      orchestration: async () => ({
        events: this.events.stream(options),
        state: async () => this.#stateNow(),
      }),
    };
  }

  /** An agent that does not exist: a source with outlines returns an empty outline. */
  #nobodys(): ArchivedConversation {
    const conversation = new ArchivedConversation();
    if (this.#main.outline !== undefined) conversation.outline = { calls: [], removals: [] };
    return conversation;
  }

  /** A copy, because the caller may change it. */
  #stateNow(): OrchestrationState | null {
    if (this.state === undefined) return null;
    return { snapshot: structuredClone(this.state), warnings: this.stateWarnings.list };
  }
}
