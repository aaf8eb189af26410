import { RefusedRequest } from "./refused-request.js";

/** What a request held, as it is written. */
export interface DecodedSpans {
  /** A line of OTLP JSON for each span that is accepted. */
  readonly lines: Uint8Array;
  readonly spans: number;
  readonly rejected: number;
  /** Why spans were rejected, or what else its sender should know; empty for nothing. */
  readonly message: string;
}

/** How large the lines are begun with. */
const FIRST_BYTES = 64 * 1024;

/** Takes the spans of a request: a line each, with the resource and the scope around it. */
export class SpanLines {
  readonly #maxBytes: number;
  readonly #reasons = new Set<string>();
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  #spans = 0;
  #rejected = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param parts of one line of JSON text, in which line feeds are white space */
  add(parts: readonly Uint8Array[]): void {
    const from = this.#length;
    for (const part of parts) this.#write(part);
    const line = this.#buffer.subarray(from, this.#length);
    for (let i = line.indexOf(LINE_FEED); i !== -1; i = line.indexOf(LINE_FEED, i + 1)) line[i] = SPACE;
    this.#write(LINE_END);
    this.#spans++;
  }

  reject(reason: string): void {
    this.#rejected++;
    this.#reasons.add(reason);
  }

  /** Tells the sender something without rejecting a span. */
  warn(reason: string): void {
    this.#reasons.add(reason);
  }

  /** Gives what was taken. Nothing may be added after it. */
  end(): DecodedSpans {
    return {
      lines: this.#buffer.subarray(0, this.#length),
      spans: this.#spans,
      rejected: this.#rejected,
      message: [...this.#reasons].join(" "),
    };
  }

  #write(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#maxBytes) {
      throw new RefusedRequest(
        413,
        `A line for each span, with its resource and scope, would take more than ${this.#maxBytes} bytes. Send fewer spans at a time.`,
      );
    }
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(part, this.#length);
    this.#length = length;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(
      Math.min(Math.max(length, 2 * this.#buffer.length), this.#maxBytes),
    );
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const LINE_END = Buffer.of(LINE_FEED);
