import { ArchiveError } from "../../application/errors.js";
import { ByteWindow } from "./byte-window.js";
import { BACKSLASH, BLOCK, isQuotedByOne, PACKING, WINDOW } from "./packed-format.js";

const LONGEST_NUMBER = 5;

export class BlockExpander {
  readonly #window = new ByteWindow();
  readonly #pending = new PendingBytes();
  #isBegun = false;

  /**
   * Yields the bytes of every complete block. They are valid until the next call.
   * @throws ArchiveError for data that is not a packed archive, or has a later version
   */
  *add(bytes: Uint8Array): Generator<Uint8Array, void> {
    const pending = this.#pending;
    pending.add(bytes);
    if (!this.#isBegun) {
      if (pending.bytes.length === 0) return;
      if (pending.bytes[0] !== PACKING) throw damaged("its compression format is not supported");
      pending.drop(1);
      this.#isBegun = true;
    }
    for (;;) {
      const block = blockIn(pending.bytes);
      if (block === undefined) return;
      yield this.#expand(block);
      pending.drop(block.end);
    }
  }

  /** @throws ArchiveError if a block is incomplete */
  end(): void {
    if (!this.#isBegun || this.#pending.bytes.length > 0) throw damaged("its end is missing");
  }

  #expand({ size, runs, copies, distances, news }: Block): Uint8Array {
    const window = this.#window;
    window.makeRoom(size);
    const { bytes, length: begin } = window;
    const end = begin + size;
    let at = begin;
    let used = 0;
    let distance = 0;
    while (!runs.isAtEnd) {
      const run = runs.next();
      const doubled = copies.next();
      const copy = Math.floor(doubled / 2);
      const zigzag = distances.next();
      distance += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      const from = at + run - distance;
      const isSound = used + run <= news.length && at + run + copy <= end && distance >= 1;
      if (!isSound || distance > WINDOW || from < 0) throw damaged("its parts do not fit together");
      bytes.set(news.subarray(used, used + run), at);
      used += run;
      at += run;
      if (doubled % 2 === 1) distance = at + copy - copyQuoted(bytes, from, at, copy);
      else if (distance >= copy) bytes.copyWithin(at, from, from + copy);
      else for (let i = 0; i < copy; i++) bytes[at + i] = bytes[from + i]!;
      at += copy;
    }
    if (at + news.length - used !== end) throw damaged("its parts do not fit together");
    bytes.set(news.subarray(used), at);
    window.length = end;
    return bytes.subarray(begin, end);
  }
}

function copyQuoted(bytes: Uint8Array, from: number, begin: number, length: number): number {
  let [source, at] = [from, begin];
  while (at < begin + length) {
    const byte = bytes[source++]!;
    if (isQuotedByOne(byte)) bytes[at++] = BACKSLASH;
    bytes[at++] = byte;
  }
  if (at > begin + length) throw damaged("its parts do not fit together");
  return source;
}

interface Block {
  readonly size: number;
  readonly runs: Varints;
  readonly copies: Varints;
  readonly distances: Varints;
  readonly news: Uint8Array;
  readonly end: number;
}

function blockIn(packed: Uint8Array): Block | undefined {
  const head = new Varints(packed);
  const lengths: number[] = [];
  for (let i = 0; i < 5; i++) {
    if (head.isCutOff) return undefined;
    lengths.push(head.next());
  }
  const [size, ...lists] = lengths as [number, number, number, number, number];
  // Each list has one number for each copy, and each copy makes at least one byte.
  if (size < 1 || size > BLOCK || lists.some((length) => length > LONGEST_NUMBER * size)) {
    throw damaged("it has a part of an impossible length");
  }
  const parts: Uint8Array[] = [];
  let at = head.at;
  for (const length of lists) {
    if (at + length > packed.length) return undefined;
    parts.push(packed.subarray(at, at + length));
    at += length;
  }
  const [runs, copies, distances, news] = parts as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  return {
    size,
    runs: new Varints(runs),
    copies: new Varints(copies),
    distances: new Varints(distances),
    news,
    end: at,
  };
}

class Varints {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  get isCutOff(): boolean {
    let end = this.at;
    while (end < this.#bytes.length && this.#bytes[end]! >= 0x80) end++;
    return end >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined || scale > 2 ** 35) throw damaged("it has an invalid number");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }
}

export function damaged(why: string): ArchiveError {
  return new ArchiveError(
    `It is damaged (${why}): something has changed it, such as an editor, a mail program or a server that sends it in another encoding. ` +
      "Take the file as it was written, or export the session again.",
  );
}

/** Unread bytes. Each moves a few times at most, however small the pieces are. */
class PendingBytes {
  #buffer = new Uint8Array(64 * 1024);
  #from = 0;
  #to = 0;

  /** Valid until the next call of `add`. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#from, this.#to);
  }

  add(bytes: Uint8Array): void {
    const size = this.#to - this.#from;
    if (this.#to + bytes.length > this.#buffer.length) {
      const pending = this.bytes;
      if (size + bytes.length > this.#buffer.length / 2)
        this.#buffer = new Uint8Array(2 * (size + bytes.length));
      this.#buffer.set(pending);
      this.#from = 0;
      this.#to = size;
    }
    this.#buffer.set(bytes, this.#to);
    this.#to += bytes.length;
  }

  drop(count: number): void {
    this.#from += count;
  }
}
