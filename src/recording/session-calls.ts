import { RecordingError } from "../application/errors.js";
import type { RecordedSession } from "../application/recording/recorded-session.js";
import type { Message } from "../domain/conversation/message.js";
import type { MessagePart } from "../domain/conversation/message-part.js";
import { vendorParts } from "../domain/conversation/vendor-messages.js";
import { promptIn, roleOf } from "./message-texts.js";
import { RunRecorder, type RunRecorderOptions } from "./run-recorder.js";
import type { RunSpanFacts, RunSpanResult } from "./run-span.js";

export type RequestedModel = Required<Pick<RunSpanFacts, "model" | "provider" | "messages">>;

interface Turn {
  readonly id: string;
  last: RunSpanResult;
}

const MOST_TOOLS = 1_000;

/**
 * For a client that only calls models. A turn lasts from its first call to `recordTurn`; a tool call from the answer that requests it to
 * the call that has its result.
 */
export class SessionCalls {
  readonly #recorder: RunRecorder;
  #turn: Turn | undefined;
  readonly #tools = new Map<string, string>();

  private constructor(session: RecordedSession, onError: RunRecorderOptions["onError"]) {
    this.#recorder = new RunRecorder(session, { onError });
    session.beforeTurn((at) => this.#endTurn(at));
  }

  static of(session: RecordedSession, onError?: RunRecorderOptions["onError"]): SessionCalls {
    const existing = callsOfSessions.get(session) ?? new SessionCalls(session, onError);
    callsOfSessions.set(session, existing);
    return existing;
  }

  start({ model, provider, messages = [] }: RequestedModel): string {
    this.#turn ??= this.#beginTurn(messages);
    this.#endTools(newestResults(messages));
    const id = crypto.randomUUID();
    const parentId = this.#turn.id;
    this.#recorder.start({ id, parentId, kind: "model", name: model ?? "model", model, provider, messages });
    return id;
  }

  end(id: string, result: RunSpanResult): void {
    const { error, isCancelled } = result;
    this.#recorder.end(id, result);
    if (this.#turn === undefined) return;
    this.#turn.last = { error, isCancelled };
    const parts = (result.answer ?? []).flatMap(vendorParts);
    for (const part of parts)
      if (part.type === "call" && part.callId !== "") this.#beginTool(part, this.#turn.id);
    // Tools that the vendor runs itself have ended with the answer.
    this.#endTools(parts);
  }

  report(what: string, cause: unknown): void {
    this.#recorder.report(what, cause);
  }

  advise(advice: string): void {
    this.#recorder.report("record a call in full", new RecordingError(advice));
  }

  #beginTurn(messages: readonly Message[]): Turn {
    const id = crypto.randomUUID();
    this.#recorder.start({ id, kind: "turn", name: "turn", input: promptIn(messages) });
    return { id, last: {} };
  }

  #endTurn(at: number): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn !== undefined) this.#recorder.end(turn.id, { ...turn.last, at });
  }

  #beginTool({ callId, name, input }: Extract<MessagePart, { type: "call" }>, parentId: string): void {
    const id = crypto.randomUUID();
    this.#tools.set(callId, id);
    if (this.#tools.size > MOST_TOOLS) this.#tools.delete(this.#tools.keys().next().value!);
    this.#recorder.start({ id, parentId, kind: "tool", name, toolCallId: callId, input });
  }

  #endTools(parts: readonly MessagePart[]): void {
    for (const part of parts) {
      const id = part.type === "result" ? this.#tools.get(part.callId) : undefined;
      if (part.type !== "result" || id === undefined) continue;
      this.#tools.delete(part.callId);
      const { text, isError } = part;
      this.#recorder.end(id, isError ? { error: { message: text } } : { output: text });
    }
  }
}

const callsOfSessions = new WeakMap<RecordedSession, SessionCalls>();

function newestResults(messages: readonly Message[]): readonly MessagePart[] {
  const answered = messages.findLastIndex((message) => roleOf(message) === "assistant");
  return messages
    .slice(answered + 1)
    .flatMap(vendorParts)
    .filter(({ type }) => type === "result");
}
