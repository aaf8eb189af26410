import { imageSource } from "../conversation/images.js";
import { classifyEvent, readBookkeeping } from "../dialects/event-kinds.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../json/json.js";
import { hash53 } from "../text/fingerprints.js";

/**
 * Sizes of a session's records: bytes of the envelopes' JSON in UTF-8. For another tool's history this is close to the size of its
 * uncompressed files, plus the ids, instants and sequences that the inspector adds. All `parts` add up to `bytes`.
 */
export interface BytesAccount {
  readonly bytes: number;
  readonly records: number;
  readonly parts: readonly BytesPart[];
  readonly largest: readonly LargeRecord[];
  /** Images in the records; one that is recorded twice counts twice. */
  readonly images: number;
}

/**
 * - `prompts`: prompts, and anything else in the user's name
 * - `reasoning`: thoughts of the model, encrypted or not
 * - `modelCalls`: starts and ends: usage, and the context if it is recorded on them
 * - `repeatedResults`: tool results that equal an earlier one; the complete record
 * - `images`: base64 in any record; not part of the other kinds
 * - `bookkeeping`: hooks, progress, notes of the runtime
 * - `snapshots`: copies of files or of the state of a workspace
 * - `other`: everything else, such as session starts, turn ends, compactions, sub-agents, errors
 */
export type BytesKind =
  | "prompts"
  | "answers"
  | "reasoning"
  | "modelCalls"
  | "toolInputs"
  | "toolResults"
  | "repeatedResults"
  | "images"
  | "bookkeeping"
  | "snapshots"
  | "other";

interface BytesPart {
  readonly kind: BytesKind;
  readonly bytes: number;
  readonly records: number;
}

export interface LargeRecord {
  readonly id: string;
  readonly kind: BytesKind;
  readonly bytes: number;
}

const MOST_RECORDS = 20;
/** Shorter results repeat by chance, and have little weight. */
const LEAST_RESULT = 200;
const MOST_RESULTS = 100_000;

export class BytesCount {
  readonly #parts = new Map<BytesKind, { bytes: number; records: number }>();
  readonly #results = new Set<number>();
  readonly #largest: LargeRecord[] = [];
  #bytes = 0;
  #records = 0;
  #images = 0;

  /** @param bytes length of the envelope's JSON in UTF-8 */
  add(envelope: JsonObject, bytes: number): void {
    const images = imagesIn(envelope);
    const imageBytes = Math.min(
      bytes,
      images.reduce((sum, size) => sum + size, 0),
    );
    const kind = this.#kindOf(objectField(envelope, "event"));
    this.#bytes += bytes;
    this.#records++;
    this.#images += images.length;
    this.#count(kind, bytes - imageBytes);
    if (images.length > 0) this.#count("images", imageBytes);
    const main = imageBytes * 2 > bytes ? "images" : kind;
    this.#rank({ id: textField(envelope, "id") ?? "", kind: main, bytes });
  }

  result(): BytesAccount {
    const parts = [...this.#parts].map(([kind, part]) => ({ kind, ...part }));
    return {
      bytes: this.#bytes,
      records: this.#records,
      parts: parts.sort((a, b) => b.bytes - a.bytes),
      largest: [...this.#largest],
      images: this.#images,
    };
  }

  #count(kind: BytesKind, bytes: number): void {
    const part = this.#parts.get(kind) ?? { bytes: 0, records: 0 };
    part.bytes += bytes;
    part.records++;
    this.#parts.set(kind, part);
  }

  #rank(record: LargeRecord): void {
    const smallest = this.#largest.at(-1);
    if (smallest !== undefined && this.#largest.length === MOST_RECORDS && record.bytes <= smallest.bytes)
      return;
    const at = this.#largest.findIndex(({ bytes }) => bytes < record.bytes);
    this.#largest.splice(at === -1 ? this.#largest.length : at, 0, record);
    if (this.#largest.length > MOST_RECORDS) this.#largest.pop();
  }

  #kindOf(event: JsonObject): BytesKind {
    const type = textField(event, "type") ?? "";
    if (/snapshot/i.test(type)) return "snapshots";
    if (readBookkeeping(event) !== undefined) return "bookkeeping";
    const { kind, phase } = classifyEvent(type);
    if (kind === "text") return textKind(type, event);
    if (kind === "turn" && phase === "start") return "prompts";
    if (kind === "llm") return "modelCalls";
    if (kind !== "tool") return "other";
    if (phase !== "end") return "toolInputs";
    return this.#isRepeated(event.output ?? event.result) ? "repeatedResults" : "toolResults";
  }

  #isRepeated(output: unknown): boolean {
    const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
    if (text.length < LEAST_RESULT) return false;
    const hash = hash53(text);
    const hasResult = this.#results.has(hash);
    if (this.#results.size < MOST_RESULTS) this.#results.add(hash);
    return hasResult;
  }
}

function textKind(type: string, event: JsonObject): BytesKind {
  if (type === "thinking") return "reasoning";
  const role = textField(event, "role") ?? "assistant";
  return role === "assistant" || role === "model" ? "answers" : "prompts";
}

/** Deeper than the output of any tool. */
const MAX_DEPTH = 16;

function imagesIn(value: unknown, depth = 0): readonly number[] {
  if (typeof value === "string") return value.startsWith("data:image/") ? [sizeOf(value)] : [];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  const source = isJsonObject(value) ? imageSource(value) : undefined;
  if (source !== undefined) return source.startsWith("data:") ? [sizeOf(source)] : [];
  const sizes: number[] = [];
  for (const member of Object.values(value)) for (const size of imagesIn(member, depth + 1)) sizes.push(size);
  return sizes;
}

function sizeOf(dataAddress: string): number {
  return dataAddress.length - dataAddress.indexOf(",") - 1;
}
