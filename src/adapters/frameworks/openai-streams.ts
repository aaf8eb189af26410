import { isJsonObject, type JsonObject, objectField, textField } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import { objectsIn } from "./framework-values.js";
import { chatAnswer, responseAnswer } from "./openai-messages.js";
import type { StreamReader } from "./sdk-call.js";

/** Puts a completion together of its chunks. */
export class ChatStream implements StreamReader {
  #completion: JsonObject = {};
  readonly #choices: { message: JsonObject; finish_reason: unknown }[] = [];

  get isWhole(): boolean {
    return this.#choices.some(({ finish_reason }) => typeof finish_reason === "string");
  }

  get result(): RunSpanResult {
    return chatAnswer({ ...this.#completion, choices: this.#choices.filter(Boolean) });
  }

  read(chunk: JsonObject): void {
    const { model, usage } = { ...this.#completion, ...withoutNulls(chunk) };
    this.#completion = { model, usage };
    for (const choice of objectsIn(chunk.choices)) {
      const index = typeof choice.index === "number" ? choice.index : 0;
      const before = this.#choices[index] ?? { message: { role: "assistant" }, finish_reason: undefined };
      this.#choices[index] = {
        message: withDelta(before.message, objectField(choice, "delta")),
        finish_reason: choice.finish_reason ?? before.finish_reason,
      };
    }
  }
}

/** Texts go on, lists go on by their indexes, anything else is the last one. */
function withDelta(before: JsonObject, delta: JsonObject): JsonObject {
  const next: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(delta)) {
    const known = next[name];
    if (value === null || name === "index") continue;
    if (Array.isArray(value)) next[name] = withParts(Array.isArray(known) ? known : [], value);
    else if (isJsonObject(value)) next[name] = withDelta(isJsonObject(known) ? known : {}, value);
    else if (typeof value === "string" && typeof known === "string" && !FIXED.has(name))
      next[name] = known + value;
    else next[name] = value;
  }
  return next;
}

/** What is told whole, also where it is told again. */
const FIXED: ReadonlySet<string> = new Set(["role", "id", "type"]);

function withParts(known: readonly unknown[], parts: readonly unknown[]): unknown[] {
  const next = [...known];
  for (const part of objectsIn(parts)) {
    const index = typeof part.index === "number" ? part.index : next.length;
    const before = next[index];
    next[index] = withDelta(isJsonObject(before) ? before : {}, part);
  }
  return next;
}

function withoutNulls(chunk: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(chunk).filter(([, value]) => value !== null && value !== undefined),
  );
}

const ENDS: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** Takes a response from the events that it is streamed by: the last one has all of it. */
export class ResponseStream implements StreamReader {
  #response: JsonObject = {};
  readonly #items: JsonObject[] = [];
  /** What was said of the item that goes on. */
  #text = "";
  #isWhole = false;
  #error: RunSpanResult["error"];

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get result(): RunSpanResult {
    if (this.#isWhole && this.#error === undefined) return responseAnswer(this.#response);
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
    const response = objectField(event, "response");
    if (ENDS.has(event.type)) {
      this.#response = response;
      this.#isWhole = true;
    } else if (event.type === "response.created") this.#response = response;
    else if (event.type === "response.output_text.delta") this.#text += textField(event, "delta") ?? "";
    else if (event.type === "response.output_item.done") {
      this.#items.push(objectField(event, "item"));
      this.#text = "";
    } else if (event.type === "error") {
      this.#error = { message: textField(event, "message") ?? "failed", type: textField(event, "code") };
      this.#isWhole = true;
    }
  }
}
