import { ByteWindow } from "../archive/byte-window.js";
import { PACKING, WINDOW } from "../archive/packed-format.js";
import { quotedLength, sameBackwards, sameLength, unquotedLength } from "./same-bytes.js";
import { LOOKED_FOR, TABLE_BITS, TextHash } from "./text-hash.js";

/** Maximum bytes to skip on either side after a copy so that another copy continues there, and the minimum length of that copy. */
const SLACK = 3;
const SHORTEST = 8;

/** For skips of equal length on both sides: an id has the length of the previous one. */
const AHEAD = 40;
const SHORTEST_AHEAD = 10;

const BYTES_PER_PAUSE = 16_384;

/**
 * Packs bytes as `packed-format.ts` describes. It finds any repetition of twice {@link LOOKED_FOR} bytes, also quoted in JSON, or with a
 * few different bytes.
 */
export class BlockMaker {
  readonly #window = new ByteWindow();
  /** Last offset of a text, by its hash; 0 for no offset: offsets count from 1. */
  readonly #places = new Int32Array(2 ** TABLE_BITS);
  #isBegun = false;

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
    const hash = new TextHash(bytes, end);
    const pauses = new Pauses(block.at);
    let noteFrom = block.at;
    for (let at = block.at; hash.moveTo(at); at = Math.max(hash.at + 1, block.at)) {
      at = hash.at;
      if (pauses.isDue(at)) yield;
      const { place } = hash;
      const before = this.#places[place]! - 1;
      if (before >= 0 && at - before <= WINDOW && block.copyLonger(before, at, LOOKED_FOR)) {
        while (block.goOn()) if (pauses.isDue(block.at)) yield;
        yield* this.#note(bytes, at, block.at);
        noteFrom = block.at;
      } else if (at >= noteFrom) {
        this.#places[place] = at + 1;
        noteFrom = at + LOOKED_FOR;
      }
    }
  }

  *#note(bytes: Uint8Array, from: number, to: number): Generator<void, void> {
    const hash = new TextHash(bytes, to);
    const pauses = new Pauses(from);
    for (let at = from; hash.moveTo(at); at = hash.behind) {
      this.#places[hash.place] = hash.at + 1;
      if (pauses.isDue(hash.behind)) yield;
    }
  }

  #move(by: number): void {
    const places = this.#places;
    for (let i = 0; i < places.length; i++) places[i] = Math.max(0, places[i]! - by);
  }
}

class OpenBlock {
  readonly bytes: Uint8Array;
  readonly end: number;
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

  copyLonger(before: number, at: number, least: number): boolean {
    const plain = sameLength(this.bytes, before, at, this.end);
    const quoted = quotedLength(this.bytes, before, at, this.end);
    if (Math.max(plain, quoted) < least) return false;
    if (quoted > plain) this.#copy(at, before, quoted, true);
    else {
      const earlier = sameBackwards(this.bytes, before, at, this.at);
      this.#copy(at - earlier, before - earlier, plain + earlier, false);
    }
    return true;
  }

  #copy(at: number, from: number, length: number, isQuoted: boolean): void {
    const difference = at - from - this.#distance;
    this.#runs.add(at - this.at);
    this.#copies.add(2 * length + (isQuoted ? 1 : 0));
    this.#distances.add(difference < 0 ? -2 * difference - 1 : 2 * difference);
    this.#news.push(this.bytes.subarray(this.at, at));
    this.at = at + length;
    this.#distance = this.at - from - (isQuoted ? unquotedLength(this.bytes, at, length) : length);
  }

  goOn(): boolean {
    const from = this.at - this.#distance;
    for (let left = 0; left <= 2 * SLACK; left++) {
      for (let here = Math.max(0, left - SLACK); here <= Math.min(left, SLACK); here++) {
        const [at, before] = [this.at + here, from + left - here];
        if (before >= at || at - before > WINDOW) continue;
        if (this.copyLonger(before, at, SHORTEST)) return true;
      }
    }
    for (let left = SLACK + 1; left <= AHEAD; left++) {
      if (this.copyLonger(from + left, this.at + left, SHORTEST_AHEAD)) return true;
    }
    return false;
  }

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

class Pauses {
  #next: number;

  constructor(at: number) {
    this.#next = at + BYTES_PER_PAUSE;
  }

  isDue(at: number): boolean {
    if (at < this.#next) return false;
    this.#next = at + BYTES_PER_PAUSE;
    return true;
  }
}
