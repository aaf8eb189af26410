import { type JsonObject, objectField, parsedText, textField } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { AnswerLimits, checkedIndex, UnreadableAnswer } from "./answer-limits.js";
import { answerIn } from "./anthropic-messages.js";
import type { StreamReader } from "./sdk-call.js";

/**
 * A content block of the answer. `content` comes from its start event; the other members collect later events.
 * All members exist from the start, because JavaScript engines handle objects of one shape faster.
 */
interface Block {
  readonly content: JsonObject;
  text: string;
  thinking: string;
  signature: string;
  /** JSON text of a tool's input; it is complete only at the end. */
  input: string;
  readonly citations: unknown[];
}

/**
 * Assembles the answer of a streamed call from the events of Anthropic's Messages API.
 * @see https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
export class AnthropicStream implements StreamReader {
  readonly #limits = new AnswerLimits();
  #message: JsonObject = {};
  /** Blocks by ascending index. Indexes can be missing, because some gateways omit blocks. */
  readonly #blocks = new Map<number, Block>();
  #lastIndex = -1;
  #isComplete = false;

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get result(): RunSpanResult {
    const content = [...this.#blocks.values()].map(contentOf);
    return answerIn({ ...this.#message, content });
  }

  read(event: JsonObject): void {
    switch (event.type) {
      case "message_start":
        this.#message = { ...objectField(event, "message") };
        this.#limits.addObject(this.#message);
        break;
      case "content_block_start":
        this.#startBlock(checkedIndex(event.index, "a content block"), objectField(event, "content_block"));
        break;
      case "content_block_delta":
        this.#addDelta(checkedIndex(event.index, "a content block"), objectField(event, "delta"));
        break;
      case "message_delta":
        this.#updateMessage(objectField(event, "delta"), objectField(event, "usage"));
        break;
      case "message_stop":
        this.#isComplete = true;
        break;
      default:
        break;
    }
  }

  #startBlock(index: number, block: JsonObject): void {
    if (index <= this.#lastIndex)
      throw new UnreadableAnswer(`content block ${index} starts after content block ${this.#lastIndex}`);
    this.#lastIndex = index;
    this.#limits.addMember();
    this.#limits.addObject(block);
    this.#blocks.set(index, {
      content: { ...block },
      ...{ text: "", thinking: "", signature: "", input: "" },
      citations: [],
    });
  }

  #addDelta(index: number, delta: JsonObject): void {
    const block = this.#blocks.get(index);
    if (block === undefined)
      throw new UnreadableAnswer(`a delta is for content block ${index}, which did not start`);
    switch (delta.type) {
      case "text_delta":
        block.text += this.#checkedText(delta.text);
        break;
      case "thinking_delta":
        block.thinking += this.#checkedText(delta.thinking);
        break;
      case "signature_delta":
        block.signature += this.#checkedText(delta.signature);
        break;
      case "input_json_delta":
        block.input += this.#checkedText(delta.partial_json);
        break;
      case "citations_delta":
        this.#limits.addMember();
        this.#limits.addObject(delta.citation);
        block.citations.push(delta.citation);
        break;
      default:
        break;
    }
  }

  /** Text of a delta, within the size limits; `""` if it has none. */
  #checkedText(text: unknown): string {
    if (typeof text !== "string") return "";
    this.#limits.addText(text);
    return text;
  }

  /** Token counts replace the earlier ones, because they are totals. A missing count or `null` changes nothing. */
  #updateMessage(delta: JsonObject, counts: JsonObject): void {
    this.#limits.addObject([delta, counts]);
    const newCounts = Object.entries(counts).filter(([, count]) => count !== null);
    const usage = { ...objectField(this.#message, "usage"), ...Object.fromEntries(newCounts) };
    this.#message = { ...this.#message, ...delta, usage };
  }
}

/** The block as a call without streaming would return it: the start event's content, then all deltas. */
function contentOf({ content, input, citations, ...texts }: Block): JsonObject {
  const { text, thinking, signature } = texts;
  const appended = Object.entries({ text, thinking, signature }).filter(([, added]) => added !== "");
  return {
    ...content,
    ...Object.fromEntries(appended.map(([name, added]) => [name, (textField(content, name) ?? "") + added])),
    ...(input === "" ? {} : { input: parsedText(input) }),
    ...(citations.length === 0 ? {} : { citations: [...elementsOf(content.citations), ...citations] }),
  };
}

function elementsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}
