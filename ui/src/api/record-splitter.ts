const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/**
 * Extracts the records of `{"name":[…],…}` while the answer arrives: the first ones are visible early, and no task parses megabytes at
 * once.
 */
export class RecordSplitter {
  readonly #name: RegExp;
  readonly #onRecord: (text: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inList = false;
  #begun: Uint8Array[] = [];
  #inRecord = false;

  constructor(name: string, onRecord: (text: string) => void) {
    this.#name = new RegExp(`"${name}"\\s*:\\s*$`);
    this.#onRecord = onRecord;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      if (this.#inString) {
        i = this.#endOfString(chunk, i);
        continue;
      }
      const byte = chunk[i]!;
      if (this.#inList && this.#depth === 2) {
        if (byte === CLOSE_BRACKET || byte === COMMA) {
          if (this.#inRecord) this.#endRecord(chunk.subarray(from, i));
          if (byte === COMMA) continue;
          this.#inList = false;
          this.#depth = 1;
          from = i;
          continue;
        }
        if (!this.#inRecord && byte > SPACE) {
          this.#inRecord = true;
          from = i;
        }
      }
      if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_BRACE) this.#depth++;
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth--;
      else if (byte === OPEN_BRACKET) {
        if (this.#depth++ === 1 && !this.#inList) {
          this.#rest += this.#decoder.decode(chunk.subarray(from, i), { stream: true });
          from = i;
          if (this.#name.test(this.#rest)) {
            this.#rest += "[";
            this.#inList = true;
            from = i + 1;
          }
        }
      }
    }
    if (this.#inRecord) this.#begun.push(chunk.slice(from));
    else if (!this.#inList) this.#rest += this.#decoder.decode(chunk.subarray(from), { stream: true });
  }

  /** The end of the chunk if the closing quote has not arrived yet. */
  #endOfString(chunk: Uint8Array, from: number): number {
    const { length } = chunk;
    let at = this.#escaped ? from + 1 : from;
    this.#escaped = false;
    for (; at < length; at++) {
      const byte = chunk[at];
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) {
        this.#inString = false;
        return at;
      }
    }
    this.#escaped = at > length;
    return length;
  }

  /**
   * Returns the answer without its records.
   * @throws SyntaxError if the answer is truncated, or no JSON
   */
  finish(): unknown {
    return JSON.parse(this.#rest);
  }

  #endRecord(tail: Uint8Array): void {
    this.#inRecord = false;
    this.#onRecord(
      this.#begun.length === 0 ? decodeRecord(tail) : decodeRecord(join([...this.#begun, tail])),
    );
    this.#begun = [];
  }
}

const recordDecoder = new TextDecoder();

function decodeRecord(bytes: Uint8Array): string {
  return recordDecoder.decode(bytes).trimEnd();
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
