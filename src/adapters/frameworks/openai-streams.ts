import {
  isJsonObject,
  type JsonObject,
  MOST_LEVELS,
  objectField,
  textField,
} from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { AnswerLimits, checkedIndex, UnreadableAnswer } from "./answer-limits.js";
import { objectsIn } from "./framework-values.js";
import { chatAnswer, responseAnswer } from "./openai-messages.js";
import type { StreamReader } from "./sdk-call.js";

/** It has no prototype, so that no name in a delta is special. */
type Growing = { [name: string]: unknown };

interface Choice {
  readonly message: Growing;
  finish_reason: unknown;
}

export class ChatStream implements StreamReader {
  readonly #limits = new AnswerLimits();
  readonly #options: JsonObject;
  #model: unknown;
  #usage: unknown;
  readonly #choices = new Map<number, Choice>();
  #isComplete = false;

  constructor(body: JsonObject) {
    this.#options = objectField(body, "stream_options");
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get advice(): string | undefined {
    const isMissing = !isJsonObject(this.#usage) && this.#options.include_usage !== true;
    return isMissing ? USAGE_ADVICE : undefined;
  }

  get result(): RunSpanResult {
    const choices = byIndex(this.#choices).map(({ message, finish_reason }) => {
      return { message: grownValue(message), finish_reason };
    });
    return chatAnswer({ model: this.#model, usage: this.#usage, choices });
  }

  read(chunk: JsonObject): void {
    this.#model = chunk.model ?? this.#model;
    this.#usage = chunk.usage ?? this.#usage;
    if (!Array.isArray(chunk.choices)) return;
    for (const entry of chunk.choices) if (isJsonObject(entry)) this.#readChoice(entry);
  }

  #readChoice({ index = 0, delta, finish_reason }: JsonObject): void {
    const choice = this.#choiceAt(checkedIndex(index, "a choice"));
    if (isJsonObject(delta)) this.#add(choice.message, delta);
    if (finish_reason === undefined || finish_reason === null) return;
    choice.finish_reason = finish_reason;
    this.#isComplete ||= typeof finish_reason === "string";
  }

  #choiceAt(index: number): Choice {
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      choice = { message: growing(), finish_reason: undefined };
      choice.message.role = "assistant";
      this.#choices.set(index, choice);
    }
    return choice;
  }

  #add(object: Growing, delta: JsonObject, level = 0): void {
    if (level === MOST_LEVELS) throw new UnreadableAnswer(`a delta has more than ${MOST_LEVELS} levels`);
    for (const name of Object.keys(delta)) {
      const value = delta[name];
      if (value === null || value === undefined || name === "index") continue;
      const previous = object[name];
      if (previous === undefined) {
        this.#limits.addMember();
        this.#limits.addText(name);
      }
      if (typeof value === "string") {
        const isContinued = typeof previous === "string" && !FIXED.has(name);
        if (!isContinued && value === previous) continue;
        this.#limits.addText(value);
        object[name] = isContinued ? previous + value : value;
      } else if (Array.isArray(value)) {
        const parts = previous instanceof GrowingList ? previous : new GrowingList();
        object[name] = parts;
        this.#addParts(parts, value, level + 1);
      } else if (isJsonObject(value)) {
        const inner = isJsonObject(previous) && !(previous instanceof GrowingList) ? previous : growing();
        object[name] = inner;
        this.#add(inner as Growing, value, level + 1);
      } else object[name] = value;
    }
  }

  #addParts(list: GrowingList, deltas: readonly unknown[], level: number): void {
    for (const delta of objectsIn(deltas)) {
      const { index } = delta;
      // Some vendors do not number parts: each is a new one.
      const at = index === undefined ? list.end : checkedIndex(index, "a part of a message");
      let part = list.parts.get(at);
      if (part === undefined) {
        this.#limits.addMember();
        part = growing();
        list.parts.set(at, part);
        list.end = Math.max(list.end, at + 1);
      }
      this.#add(part, delta, level);
    }
  }
}

const USAGE_ADVICE =
  "A streamed chat completion has no token counts, because its request does not ask for them. " +
  "Set `stream_options: { include_usage: true }` in such requests to have their tokens recorded.";

const FIXED: ReadonlySet<string> = new Set(["role", "id", "type"]);

class GrowingList {
  readonly parts = new Map<number, Growing>();
  end = 0;
}

function growing(): Growing {
  return Object.create(null) as Growing;
}

function grownValue(value: unknown): unknown {
  if (value instanceof GrowingList) return byIndex(value.parts).map(grownValue);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, grownValue(member)]));
}

function byIndex<Part>(parts: ReadonlyMap<number, Part>): Part[] {
  return [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
}

const ENDS: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** The last event has the complete response. */
export class ResponseStream implements StreamReader {
  readonly #limits = new AnswerLimits();
  #response: JsonObject = {};
  readonly #items: JsonObject[] = [];
  #text = "";
  #isComplete = false;
  #error: RunSpanResult["error"];

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get result(): RunSpanResult {
    if (this.#isComplete && this.#error === undefined) return responseAnswer(this.#response);
    const going = {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: this.#text }],
    };
    const output = this.#text === "" ? this.#items : [...this.#items, going];
    const { stopReason: _, ...result } = responseAnswer({ ...this.#response, output, status: undefined });
    return { ...result, error: this.#error };
  }

  read(event: JsonObject): void {
    if (event.type === "response.output_text.delta") {
      const text = textField(event, "delta") ?? "";
      this.#limits.addText(text);
      this.#text += text;
    } else if (event.type === "response.output_item.done") {
      const item = objectField(event, "item");
      this.#limits.addMember();
      this.#limits.addObject(item);
      this.#items.push(item);
      this.#text = "";
    } else if (event.type === "response.created") {
      this.#response = objectField(event, "response");
    } else if (ENDS.has(event.type)) {
      this.#response = objectField(event, "response");
      this.#isComplete = true;
    } else if (event.type === "error") {
      this.#error = { message: textField(event, "message") ?? "failed", type: textField(event, "code") };
      this.#isComplete = true;
    }
  }
}
