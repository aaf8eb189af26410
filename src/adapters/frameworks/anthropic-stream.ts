import { type JsonObject, objectField, parsedText, textField } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { AnswerLimits, checkedIndex, UnreadableAnswer } from "./answer-limits.js";
import { answerIn } from "./anthropic-messages.js";
import type { StreamReader } from "./sdk-call.js";

/** Its shape is fixed: each event of a long stream appends to it. */
interface Block {
  readonly content: JsonObject;
  text: string;
  thinking: string;
  signature: string;
  input: string;
  readonly citations: unknown[];
}

export class AnthropicStream implements StreamReader {
  readonly #limits = new AnswerLimits();
  #message: JsonObject = {};
  /** By ascending index, with gaps: some gateways omit blocks. */
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
        this.#add(checkedIndex(event.index, "a content block"), objectField(event, "delta"));
        break;
      case "message_delta":
        this.#end(objectField(event, "delta"), objectField(event, "usage"));
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

  #add(index: number, delta: JsonObject): void {
    const block = this.#blocks.get(index);
    if (block === undefined)
      throw new UnreadableAnswer(`a delta is for content block ${index}, which did not start`);
    switch (delta.type) {
      case "text_delta":
        block.text += this.#piece(delta.text);
        break;
      case "thinking_delta":
        block.thinking += this.#piece(delta.thinking);
        break;
      case "signature_delta":
        block.signature += this.#piece(delta.signature);
        break;
      case "input_json_delta":
        block.input += this.#piece(delta.partial_json);
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

  #piece(text: unknown): string {
    if (typeof text !== "string") return "";
    this.#limits.addText(text);
    return text;
  }

  /** Counts are totals; a missing count retains its value. */
  #end(delta: JsonObject, counts: JsonObject): void {
    this.#limits.addObject([delta, counts]);
    const newest = Object.entries(counts).filter(([, count]) => count !== null);
    const usage = { ...objectField(this.#message, "usage"), ...Object.fromEntries(newest) };
    this.#message = { ...this.#message, ...delta, usage };
  }
}

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
