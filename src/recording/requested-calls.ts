import type { Message } from "../domain/conversation/message.js";
import type { MessagePart } from "../domain/conversation/message-part.js";
import { vendorParts } from "../domain/conversation/vendor-messages.js";

type RequestedCall = Extract<MessagePart, { type: "call" }>;

export interface FailedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly message: string;
}

/**
 * Tool calls that a model requested and that did not start. Some frameworks report no span for an invalid call: only the model's next
 * call shows that it failed.
 */
export class RequestedCalls {
  #requested = new Map<string, RequestedCall>();
  readonly #started = new Set<string>();
  #isReported = true;

  ask(answer: readonly Message[]): void {
    const calls = answer.flatMap(vendorParts).filter((part) => part.type === "call");
    if (calls.length === 0) return;
    const requested = calls.filter(({ callId }) => callId !== "" && !this.#started.has(callId));
    this.#requested = new Map(requested.map((call) => [call.callId, call]));
    this.#started.clear();
  }

  /**
   * A tool call may start before the end of the answer that requests it.
   * @param toolCallId `undefined` if the span does not state it
   */
  start(toolCallId: string | undefined): void {
    if (toolCallId === undefined) this.#isReported = false;
    else {
      this.#started.add(toolCallId);
      this.#requested.delete(toolCallId);
    }
  }

  takeFailed(messages: readonly Message[]): FailedCall[] {
    if (this.#requested.size === 0 || !this.#isReported) return [];
    const results = messages.flatMap(vendorParts).filter((part) => part.type === "result" && part.isError);
    const failed = new Map(
      results.map((part) => (part.type === "result" ? [part.callId, part.text] : ["", ""])),
    );
    const taken = [...this.#requested.values()].filter(({ callId }) => failed.has(callId));
    for (const { callId } of taken) this.#requested.delete(callId);
    return taken.map(({ callId, name, input }) => {
      return { toolCallId: callId, toolName: name, input, message: failed.get(callId)! };
    });
  }
}
