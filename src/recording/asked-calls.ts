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
 * The tool calls that a model asked for and that did not start. Of a call that is not valid, such as one of a tool that there is not, some
 * frameworks tell no span: only the model's next call shows that it failed.
 */
export class AskedCalls {
  /** By their ids, so that an answer with many calls costs no more for each. */
  #asked = new Map<string, Asked>();
  readonly #started = new Set<string>();
  /** Whether the spans of tools tell which calls they are. */
  #isTold = true;

  /** A model answered: only the calls of the newest answer that asks for any are kept. */
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

  /** Takes the calls of which a model is told that they failed. */
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
