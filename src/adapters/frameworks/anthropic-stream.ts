import { type JsonObject, objectField, parsedText, textField } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { answerIn } from "./anthropic-messages.js";
import type { StreamReader } from "./sdk-call.js";

/** What a delta adds to, by its type. */
const TEXTS: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "signature",
};

/** Puts a message together of the events that it is streamed by. */
export class AnthropicStream implements StreamReader {
  #message: JsonObject = {};
  readonly #blocks: Record<string, unknown>[] = [];
  /** The inputs of tools, as far as they came: JSON by and by. */
  readonly #inputs = new Map<number, string>();
  #isWhole = false;

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get result(): RunSpanResult {
    const content = this.#blocks.map((block, i) => {
      const input = this.#inputs.get(i);
      return input === undefined || input === "" ? block : { ...block, input: parsedText(input) };
    });
    return answerIn({ ...this.#message, content });
  }

  read(event: JsonObject): void {
    const index = typeof event.index === "number" ? event.index : 0;
    const delta = objectField(event, "delta");
    switch (event.type) {
      case "message_start":
        this.#message = objectField(event, "message");
        break;
      case "content_block_start":
        this.#blocks[index] = { ...objectField(event, "content_block") };
        break;
      case "content_block_delta":
        this.#add(index, delta);
        break;
      case "message_delta": {
        // Counts are totals; those that are left out stay what they were.
        const told = Object.entries(objectField(event, "usage")).filter(([, count]) => count !== null);
        const usage = { ...objectField(this.#message, "usage"), ...Object.fromEntries(told) };
        this.#message = { ...this.#message, ...delta, usage };
        break;
      }
      case "message_stop":
        this.#isWhole = true;
        break;
      default:
        break; // pings, and what is not known here
    }
  }

  #add(index: number, delta: JsonObject): void {
    const block = this.#blocks[index];
    if (block === undefined) return;
    const type = textField(delta, "type") ?? "";
    const name = TEXTS[type];
    if (type === "input_json_delta") {
      this.#inputs.set(index, (this.#inputs.get(index) ?? "") + (textField(delta, "partial_json") ?? ""));
    } else if (name !== undefined) {
      block[name] = `${block[name] ?? ""}${textField(delta, name) ?? ""}`;
    } else if (type === "citations_delta") {
      block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
    }
  }
}
