import type { Message } from "../domain/conversation/message.js";
import type { MessagePart } from "../domain/conversation/message-part.js";
import { vendorParts } from "../domain/conversation/vendor-messages.js";

type Asked = Extract<MessagePart, { type: "call" }>;

/** A tool call that failed before the tool was called. */
export interface FailedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly message: string;
}

/**
 * Tool calls that a model requested and that did not start. Some frameworks report no span for an invalid call, such as a call of a tool
 * that does not exist. Only the model's next call shows that it failed.
 */
export class AskedCalls {
  /** By their ids, so that an answer with many calls costs no more for each. */
  #asked = new Map<string, Asked>();
  readonly #started = new Set<string>();
  /** True if the spans of tools state the ids of their calls. */
  #isTold = true;

  /** Records a model's answer. Only the calls of the newest answer with calls are retained. */
  ask(answer: readonly Message[]): void {
    const calls = answer.flatMap(vendorParts).filter((part) => part.type === "call");
    if (calls.length === 0) return;
    const asked = calls.filter(({ callId }) => callId !== "" && !this.#started.has(callId));
    this.#asked = new Map(asked.map((call) => [call.callId, call]));
    this.#started.clear();
  }

  /**
   * A tool call started: also before the answer that asks for it has ended.
   *
   * @param toolCallId `undefined` where its span does not tell it
   */
  start(toolCallId: string | undefined): void {
    if (toolCallId === undefined) this.#isTold = false;
    else {
      this.#started.add(toolCallId);
      this.#asked.delete(toolCallId);
    }
  }

  /** Removes and returns the calls whose failure the messages report to a model. */
  takeFailed(messages: readonly Message[]): FailedCall[] {
    if (this.#asked.size === 0 || !this.#isTold) return [];
    const results = messages.flatMap(vendorParts).filter((part) => part.type === "result" && part.isError);
    const failed = new Map(
      results.map((part) => (part.type === "result" ? [part.callId, part.text] : ["", ""])),
    );
    const taken = [...this.#asked.values()].filter(({ callId }) => failed.has(callId));
    for (const { callId } of taken) this.#asked.delete(callId);
    return taken.map(({ callId, name, input }) => {
      return { toolCallId: callId, toolName: name, input, message: failed.get(callId)! };
    });
  }
}
