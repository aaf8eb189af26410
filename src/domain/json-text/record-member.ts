import { OPEN_BRACE, OPEN_BRACKET } from "./json-bytes.js";

const decoder = new TextDecoder();

/** How many bytes of a wanted value are kept. A longer one has a place, but no bytes. */
export const MAX_KEPT = 512;

/** A member that somebody wants: where its value lies in the text read last, and the bytes of a short one. */
export class RecordMember {
  readonly name: string;
  readonly children: RecordMember[] = [];
  readonly kept = new Uint8Array(MAX_KEPT);
  start = -1;
  end = -1;
  readonly #name: Uint8Array;

  constructor(name: string) {
    this.name = name;
    this.#name = new TextEncoder().encode(name);
  }

  isNamed(bytes: Uint8Array, from: number, to: number): boolean {
    const name = this.#name;
    if (to - from !== name.length) return false;
    for (let i = 0; i < name.length; i++) if (bytes[from + i] !== name[i]) return false;
    return true;
  }

  /** A name that comes twice means its last value, as for `JSON.parse`; so the members of the first are forgotten. */
  begin(at: number): void {
    this.clear();
    this.start = at;
  }

  clear(): void {
    this.start = -1;
    this.end = -1;
    for (const child of this.children) child.clear();
  }

  /**
   * Takes what a piece of the text holds of the value.
   *
   * @param base what to add to an index of `bytes` for the place in the text
   */
  keep(bytes: Uint8Array, from: number, to: number, base: number): void {
    const first = this.start - base;
    const end = Math.min(to, first + MAX_KEPT);
    for (let i = Math.max(from, first); i < end; i++) this.kept[i - first] = bytes[i]!;
  }

  /** @param end the index behind the value's last byte */
  finish(bytes: Uint8Array, from: number, end: number, base: number): void {
    this.end = end + base;
    if (this.children.length === 0) this.keep(bytes, from, end, base);
  }

  /** The value as `JSON.parse` gives it, where it is no container and not cut; `undefined` otherwise. */
  scalar(): unknown {
    const { start, end, kept } = this;
    if (start < 0 || end - start > MAX_KEPT) return undefined;
    if (kept[0] === OPEN_BRACE || kept[0] === OPEN_BRACKET) return undefined;
    return JSON.parse(decoder.decode(kept.subarray(0, end - start)));
  }
}
