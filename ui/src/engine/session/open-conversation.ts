import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import type { ContextStore } from "../context/context-store.js";
import type { MessagesViewModel } from "../messages/message-protocol.js";
import { MessageStore } from "../messages/message-store.js";
import { LiveList } from "../records/live-list.js";
import type { TraceStore } from "../trace/trace-store.js";
import { OutlinedMessages } from "./message-outline.js";

/** One agent at a time, read at the first request. */
export class OpenConversation {
  readonly messages = new MessageStore();
  readonly outline: OutlinedMessages;
  readonly #base: string;
  readonly #session: SessionKey;
  readonly #trace: TraceStore;
  readonly #closing: AbortSignal;
  readonly #onGrowth: () => void;
  #speaker = "";
  #leaving = new AbortController();
  #list: LiveList;
  #isRequested = false;
  #contexts: ContextStore | undefined;

  /** @param onGrowth called after more was read */
  constructor(
    base: string,
    session: SessionKey,
    trace: TraceStore,
    closing: AbortSignal,
    onGrowth: () => void,
  ) {
    this.#base = base;
    this.#session = session;
    this.#trace = trace;
    this.#closing = closing;
    this.#onGrowth = onGrowth;
    this.outline = new OutlinedMessages(this.messages, trace, () => this.#speaker);
    this.#list = this.#listOfSpeaker();
  }

  get warnings(): LiveList["warnings"] {
    return this.#list.warnings;
  }

  /** Replaces the conversation of another agent. Returns the loaded messages. */
  view(agentId: string): MessagesViewModel {
    this.#listenTo(agentId);
    if (!this.#isRequested) {
      this.#isRequested = true;
      void this.#read();
    }
    return {
      version: this.messages.version,
      entries: this.messages.entryCount,
      messages: this.messages.messages.length,
      loading: this.#list.loading || this.messages.isBehind,
      problem: this.#list.problem,
    };
  }

  /** Only after the first request. Returns true for changes, which the caller must take. */
  async refresh(): Promise<boolean> {
    const list = this.#list;
    return this.#isRequested && (await list.refresh()) && list === this.#list;
  }

  take(): Promise<boolean> {
    return this.messages.update(this.#list.records.slice(), this.#list.outline);
  }

  async contexts(): Promise<ContextStore> {
    const { ContextStore } = await import("../context/context-store.js");
    this.#contexts ??= new ContextStore();
    const { recorded, directory } = this.#trace;
    const calls = recorded.modelCalls(this.#speaker);
    await this.#contexts.update(this.messages, calls, directory, this.#speaker !== "");
    return this.#contexts;
  }

  #listenTo(agentId: string): void {
    if (agentId === this.#speaker) return;
    this.#speaker = agentId;
    this.#leaving.abort();
    this.#leaving = new AbortController();
    this.#list = this.#listOfSpeaker();
    this.#isRequested = false;
    this.messages.clear();
  }

  #listOfSpeaker(): LiveList {
    const query = { ...this.#session, agentId: this.#speaker || undefined };
    const signal = AbortSignal.any([this.#closing, this.#leaving.signal]);
    return new LiveList(this.#base, "/sessions/{sessionId}/messages", query, signal, () => this.#grow());
  }

  async #read(): Promise<void> {
    if (await this.refresh()) await this.#grow();
  }

  async #grow(): Promise<void> {
    if (await this.take()) this.#onGrowth();
  }
}
