import { SourceUnavailableError } from "../../../application/errors.js";
import { isJsonObject, type JsonObject, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";

/** Bounds the attachments in a sample's lines, and in one line: a sample may name one attachment many times. */
const MOST_WRITTEN = 2 ** 32;
const MOST_IN_LINE = 32 * 1024 * 1024;

const HELD = 256 * 1024;

const ATTACHMENT = "attachment://";

export class LineWriter {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #attachments: JsonObject;
  readonly #hasAttachments: boolean;
  #bytes = 0;
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #left = 0;

  constructor(write: (bytes: Uint8Array) => void, attachments: JsonObject) {
    this.#write = write;
    this.#attachments = attachments;
    this.#hasAttachments = Object.keys(attachments).length > 0;
  }

  line(record: JsonObject): void {
    const line = Buffer.from(`${this.#textOf(record)}\n`);
    this.#bytes += line.length;
    if (this.#bytes > MOST_WRITTEN)
      throw new SourceUnavailableError("The sample is larger than 4 GiB with its attachments.");
    this.#held.push(line);
    this.#heldBytes += line.length;
    if (this.#heldBytes > HELD) this.flush();
  }

  flush(): void {
    if (this.#heldBytes > 0) this.#write(Buffer.concat(this.#held.splice(0)));
    this.#heldBytes = 0;
  }

  #textOf(record: JsonObject): string {
    const text = jsonTextOf(record)!;
    if (!this.#namesAttachments(text)) return text;
    this.#left = MOST_IN_LINE;
    return jsonTextOf(this.#within(record))!;
  }

  #namesAttachments(text: string): boolean {
    return this.#hasAttachments && text.includes(ATTACHMENT);
  }

  resolved(record: JsonObject): JsonObject {
    if (!this.#namesAttachments(jsonTextOf(record)!)) return record;
    this.#left = MOST_IN_LINE;
    return this.#within(record);
  }

  #within<T>(value: T): T {
    if (typeof value === "string") return (value.startsWith(ATTACHMENT) ? this.#attached(value) : value) as T;
    if (Array.isArray(value)) return value.map((one) => this.#within(one)) as T;
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#within(one)])) as T;
  }

  #attached(name: string): string {
    const text = textField(this.#attachments, name.slice(ATTACHMENT.length));
    if (text === undefined || text.length > this.#left) return name;
    this.#left -= text.length;
    return text;
  }
}
