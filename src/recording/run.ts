import type { RecordedSession, RecordedTrace } from "../application/recording/recorded-session.js";
import type { Message } from "../domain/conversation/message.js";
import type { JsonObject } from "../domain/json/json.js";
import { jsonTextOf } from "../domain/json/json-text-of.js";
import type { RecordableEvent } from "../domain/trace/runtime-event.js";
import type { TraceEvent } from "../domain/trace/trace-envelope.js";
import { addUsage, NO_USAGE, type TokenUsage } from "../domain/usage/token-usage.js";
import { Conversation } from "./conversation.js";
import { promptIn, textsIn } from "./message-texts.js";
import { RequestedCalls } from "./requested-calls.js";
import { type InputContext, inputIn, type RunEnd, type RunStart } from "./run-facts.js";
import { type SessionWriter, titleOf } from "./session-writer.js";
import { outcomeOf } from "./span-outcome.js";

/** A turn of the session, or a run of a sub-agent, on its own trace. */
export class Run {
  readonly root: Run;
  readonly session: SessionWriter;
  readonly requested = new RequestedCalls();
  readonly #id: string;
  readonly #parent: Run | undefined;
  readonly #name: string;
  readonly #turn: ReturnType<SessionWriter["beginTurn"]> | undefined;
  readonly #startedAt: number;
  readonly #aside: Conversation | undefined;
  #trace: RecordedTrace | undefined;
  #hasTitle: boolean;
  #hasInput: boolean;
  #hasAnswer = false;
  #open = 0;
  #usage = NO_USAGE;
  #hasAgents = false;
  #endedAt: number | undefined;
  #isRecorded = false;

  constructor(
    session: SessionWriter,
    { id, partOf, name, input, at, title, startMembers }: RunStart,
    within?: { readonly parent: Run; readonly toolCallId: string | undefined },
  ) {
    this.session = session;
    this.#id = id;
    this.#name = name;
    this.#startedAt = at;
    this.#parent = within?.parent;
    this.root = within?.parent.root ?? this;
    this.#turn = within === undefined ? session.beginTurn() : undefined;
    this.#aside = within === undefined ? undefined : new Conversation(false);
    this.#hasInput = input !== undefined;
    this.#hasTitle = within !== undefined || title !== undefined || promptIn(input) !== undefined;
    if (within !== undefined) this.#beginAgent(within.toolCallId, partOf);
    const parentSpanId = within === undefined ? partOf : undefined;
    this.#writeEvent(at, (turnIndex) => ({
      type: "turn.start",
      turnIndex,
      parentSpanId,
      input: inputIn(input),
      ...startMembers,
    }));
  }

  /** Of a root that ends: true if other spans report its use, or may still do so. */
  get isUsageReportedBelow(): boolean {
    return this.#open > 1 || this.#usage !== NO_USAGE;
  }

  enter(): void {
    this.root.#open++;
  }

  leave(used: TokenUsage | undefined): void {
    const { root } = this;
    root.#open--;
    if (used !== undefined) root.#usage = addUsage(root.#usage, used);
    root.#recordTurn();
  }

  record(event: RecordableEvent, at: number): void {
    this.#writeEvent(at, () => event);
  }

  beginCompaction(
    event: RecordableEvent & { type: "compaction.start" },
    at: number,
    aside?: Conversation,
  ): void {
    this.session.write((session) => {
      this.#conversationOf(session, aside).expectRewriting();
      return this.#write(session, event, at);
    });
  }

  /** @param aside conversation of a tool with a model: it goes into the trace, as the messages of a sub-agent do */
  ask({ messages, isCompacted, isAdded }: InputContext, at: number, aside?: Conversation): void {
    if (isAdded) return this.#add(messages, aside);
    const prompt = this.#hasTitle ? undefined : promptIn(messages);
    this.#hasTitle ||= prompt !== undefined;
    this.session.write((session) => {
      const isFirst = prompt !== undefined && this.#turn?.(session) === 0;
      return Promise.all([
        isFirst ? session.setFirstTitle(titleOf(prompt), { at }) : undefined,
        ...this.#keep(session, { messages, isCompacted }, aside ?? this.#aside, at),
      ]);
    });
  }

  answer(messages: readonly Message[], at: number, aside?: Conversation, isAdded = false): void {
    this.#hasAnswer = true;
    if (isAdded) return this.#add(messages, aside);
    if (aside === undefined) this.requested.ask(messages);
    this.session.write((session) => {
      const own = aside ?? this.#aside;
      this.#conversationOf(session, own).answer(messages);
      return Promise.all([
        own === undefined ? session.appendMessages(messages) : undefined,
        ...this.#say(session, messages, at),
      ]);
    });
  }

  /** Messages in a tool or of a sub-agent are not part of the session's conversation. */
  #add(messages: readonly Message[], aside: Conversation | undefined): void {
    if (messages.length === 0 || aside !== undefined || this.#aside !== undefined) return;
    this.session.write((session) => session.appendMessages(messages));
  }

  end(end: RunEnd, at: number): void {
    const { input, output, waitsFor, otherAttributes: attributes, endMembers } = end;
    const { error, cancelReason, ...how } = outcomeOf(end);
    const outcome = waitsFor === undefined ? how.outcome : "waiting";
    this.#writeEvent(at, (turnIndex) => ({
      type: "turn.end",
      turnIndex,
      outcome,
      input: this.#hasInput ? undefined : inputIn(input),
      output: this.#hasAnswer || this.#parent !== undefined ? undefined : output,
      error: error?.message,
      cancelReason,
      attributes,
      ...endMembers,
    }));
    // Follows the end of the turn, which would answer it.
    if (waitsFor !== undefined && this.#parent === undefined)
      this.record({ type: "input.waiting", prompt: waitsFor.prompt }, at);
    if (this.#parent !== undefined)
      this.#endAgent({ outcome, error: error?.message, cancelReason }, output, at);
    else if (this.#hasAgents) this.#orchestrate({ type: "run_completed", status: outcome }, at);
    this.close(at);
  }

  close(at: number): void {
    this.#endedAt ??= at;
    this.root.#recordTurn();
  }

  #recordTurn(): void {
    const at = this.#endedAt;
    if (at === undefined || this.#open > 0 || this.#isRecorded || !this.session.recordsTurns) return;
    this.#isRecorded = true;
    this.session.write((session) => session.recordTurn(this.#usage, { at }));
  }

  #keep(
    session: RecordedSession,
    context: InputContext,
    aside: Conversation | undefined,
    at: number,
  ): Promise<void>[] {
    const conversation = this.#conversationOf(session, aside);
    const { isRewritten, messages } = conversation.ask(context.messages, this);
    const trigger = conversation.compactionIn(context.isCompacted, isRewritten);
    const keepMessages = () => {
      if (aside !== undefined) return this.#say(session, messages, at);
      if (isRewritten) return [session.compactMessages(messages)];
      return messages.length === 0 ? [] : [session.appendMessages(messages)];
    };
    if (trigger === undefined) return keepMessages();
    return [
      this.#write(session, { type: "compaction.start", trigger }, at),
      ...keepMessages(),
      this.#write(session, { type: "compaction.end" }, at),
    ];
  }

  #conversationOf(session: RecordedSession, aside: Conversation | undefined): Conversation {
    return aside ?? this.#aside ?? this.session.conversation(session);
  }

  #say(session: RecordedSession, messages: readonly Message[], at: number): Promise<void>[] {
    return messages.flatMap((message) => {
      const { role, text, thinking } = textsIn(message);
      if (role === "tool") return [];
      const whose = role === "assistant" ? undefined : role;
      return [
        ...(thinking === "" ? [] : [this.#write(session, { type: "thinking", thinking, role: whose }, at)]),
        ...(text === "" ? [] : [this.#write(session, { type: "text", text, role: whose }, at)]),
      ];
    });
  }

  #beginAgent(toolCallId: string | undefined, parentSpanId: string | undefined): void {
    const { root } = this;
    const at = this.#startedAt;
    if (!root.#hasAgents) root.#orchestrate({ type: "run_started" }, root.#startedAt);
    root.#hasAgents = true;
    const parent = this.#parent;
    const agent = {
      id: this.#id,
      role: this.#name,
      displayName: this.#name,
      parentAgentId: parent === undefined || parent === root ? undefined : parent.#id,
    };
    this.#orchestrate({ type: "agent_spawned", toolCallId, parentSpanId, agent }, at);
    this.#orchestrate({ type: "agent_job_started", agentId: this.#id, jobId: this.#id }, at);
  }

  #endAgent(ended: JsonObject, output: unknown, at: number): void {
    const outputText = typeof output === "string" ? output : jsonTextOf(output);
    const job = {
      jobId: this.#id,
      startedAt: new Date(this.#startedAt).toISOString(),
      outputText,
      ...ended,
    };
    const hasFailed = ended.outcome !== "completed" && ended.outcome !== "waiting";
    const type = hasFailed ? "agent_job_failed" : "agent_job_completed";
    this.#orchestrate({ type, agentId: this.#id, job }, at);
    this.#orchestrate({ type: "agent_closed", close: { agentId: this.#id, reason: "job_ended" } }, at);
  }

  #orchestrate(event: TraceEvent, at: number): void {
    this.session.write((session) => session.recordOrchestration({ runId: this.root.#id, ...event }, { at }));
  }

  #writeEvent(at: number, event: (turnIndex: number) => RecordableEvent): void {
    this.session.write((session) => this.#write(session, event(this.#turn?.(session) ?? 0), at));
  }

  #write(session: RecordedSession, event: RecordableEvent, at: number): Promise<void> {
    this.#trace ??= session.startTrace(this.#id);
    return this.#trace.record(this.#parent === undefined ? event : { ...event, agentId: this.#id }, { at });
  }
}
