import { ByteWindow } from "../archive/byte-window.js";
import { PACKING, WINDOW } from "../archive/packed-format.js";

/** How long a text is that is looked for among those before: of so many bytes each, one in a row has its place in the table. */
const LOOKED_FOR = 32;

/** How many bits number the places of the table. */
const TABLE_BITS = 20;

/** Behind a copy, how many bytes may be left out on either side for another one to go on from there, and how long that is at least. */
const SLACK = 3;
const SHORTEST = 8;

/** Further on, as many bytes are left out on both sides: an id has the length of the one before. How many at most, and how long that is. */
const AHEAD = 40;
const SHORTEST_AHEAD = 10;

/** What the running hash is multiplied with for each byte, and what one weighs when it leaves. */
const FACTOR = 0x2c9277b5;
const LEAVING = Array.from({ length: LOOKED_FOR }).reduce<number>((power) => Math.imul(power, FACTOR), 1);

const BYTES_PER_PAUSE = 16_384;

/**
 * Packs bytes as blocks, as `packed-format.ts` describes: each long text that came before is a copy of it. It finds any text of twice
 * {@link LOOKED_FOR} bytes, and what differs from it in a few bytes only, as the same text does in JSON and in a text of JSON.
 */
export class BlockMaker {
  readonly #window = new ByteWindow();
  /** Where a text was last, by its hash; 0 for nowhere: places count from 1. */
  readonly #places = new Int32Array(2 ** TABLE_BITS);
  #isBegun = false;

  /** @param bytes at most a block of them */
  *add(bytes: Uint8Array): Generator<void, Uint8Array> {
    const moved = this.#window.makeRoom(bytes.length);
    if (moved > 0) this.#move(moved);
    const begin = this.#window.length;
    this.#window.bytes.set(bytes, begin);
    this.#window.length = begin + bytes.length;
    const block = new OpenBlock(this.#window.bytes, begin, this.#window.length);
    yield* this.#findCopies(block);
    const first = this.#isBegun ? [] : [PACKING];
    this.#isBegun = true;
    return block.close(first);
  }

  *#findCopies(block: OpenBlock): Generator<void, void> {
    const { bytes, end } = block;
    let hash = 0;
    let hashed = Number.NaN;
    let pause = block.at + BYTES_PER_PAUSE;
    for (let at = block.at; at + LOOKED_FOR <= end; ) {
      if (at >= pause) {
        pause = at + BYTES_PER_PAUSE;
        yield;
      }
      hash =
        hashed === at - 1
          ? (Math.imul(hash, FACTOR) + bytes[at + LOOKED_FOR - 1]! - Math.imul(bytes[at - 1]!, LEAVING)) | 0
          : hashAt(bytes, at);
      hashed = at;
      const place = placeOf(hash);
      const before = this.#places[place]! - 1;
      const length = before >= 0 && at - before <= WINDOW ? sameLength(bytes, before, at, end) : 0;
      if (length < LOOKED_FOR) {
        if (at % LOOKED_FOR === 0) this.#places[place] = at + 1;
        at++;
        continue;
      }
      const earlier = sameBackwards(bytes, before, at, block.at);
      const first = at;
      block.copy(at - earlier, before - earlier, length + earlier);
      while (block.goOn());
      this.#note(bytes, first, block.at);
      at = block.at;
    }
  }

  /** Notes the places of what was copied, too: the latest one is the nearest. */
  #note(bytes: Uint8Array, from: number, to: number): void {
    const first = Math.ceil(from / LOOKED_FOR) * LOOKED_FOR;
    for (let at = first; at + LOOKED_FOR <= to; at += LOOKED_FOR) {
      this.#places[placeOf(hashAt(bytes, at))] = at + 1;
    }
  }

  #move(by: number): void {
    const places = this.#places;
    for (let i = 0; i < places.length; i++) places[i] = Math.max(0, places[i]! - by);
  }
}

/** A block that is being made. */
class OpenBlock {
  readonly bytes: Uint8Array;
  readonly end: number;
  /** Up to where it is made. */
  at: number;
  readonly #begin: number;
  readonly #runs = new VarintList();
  readonly #copies = new VarintList();
  readonly #distances = new VarintList();
  readonly #news: Uint8Array[] = [];
  #distance = 0;

  constructor(bytes: Uint8Array, begin: number, end: number) {
    this.bytes = bytes;
    this.end = end;
    this.at = begin;
    this.#begin = begin;
  }

  copy(at: number, from: number, length: number): void {
    const difference = at - from - this.#distance;
    this.#runs.add(at - this.at);
    this.#copies.add(length);
    this.#distances.add(difference < 0 ? -2 * difference - 1 : 2 * difference);
    this.#news.push(this.bytes.subarray(this.at, at));
    this.#distance = at - from;
    this.at = at + length;
  }

  /** Copies what goes on behind the last copy, a few bytes further on either side, where there is such a text. */
  goOn(): boolean {
    const from = this.at - this.#distance;
    for (let left = 1; left <= 2 * SLACK; left++) {
      for (let here = Math.max(0, left - SLACK); here <= Math.min(left, SLACK); here++) {
        const [at, before] = [this.at + here, from + left - here];
        if (before >= at || at - before > WINDOW) continue;
        const length = sameLength(this.bytes, before, at, this.end);
        if (length < SHORTEST) continue;
        this.copy(at, before, length);
        return true;
      }
    }
    for (let left = SLACK + 1; left <= AHEAD; left++) {
      const length = sameLength(this.bytes, from + left, this.at + left, this.end);
      if (length < SHORTEST_AHEAD) continue;
      this.copy(this.at + left, from + left, length);
      return true;
    }
    return false;
  }

  /** @param first bytes that stand before it */
  close(first: readonly number[]): Uint8Array {
    const news = [...this.#news, this.bytes.subarray(this.at, this.end)];
    const lists = [this.#runs, this.#copies, this.#distances].map(({ bytes }) => bytes);
    const head = new VarintList();
    head.add(this.end - this.#begin);
    for (const { length } of lists) head.add(length);
    head.add(news.reduce((sum, { length }) => sum + length, 0));
    return Buffer.concat([Uint8Array.from(first), head.bytes, ...lists, ...news]);
  }
}

class VarintList {
  readonly #bytes: number[] = [];

  add(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes.push((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes.push(rest);
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

function hashAt(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let i = at; i < at + LOOKED_FOR; i++) hash = (Math.imul(hash, FACTOR) + bytes[i]!) | 0;
  return hash;
}

function placeOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - TABLE_BITS);
}

function sameLength(bytes: Uint8Array, before: number, at: number, end: number): number {
  let length = 0;
  while (at + length < end && bytes[before + length] === bytes[at + length]) length++;
  return length;
}

/** @param from how far back it may go */
function sameBackwards(bytes: Uint8Array, before: number, at: number, from: number): number {
  let length = 0;
  while (at - length > from && before - length > 0 && bytes[before - length - 1] === bytes[at - length - 1])
    length++;
  return length;
}
