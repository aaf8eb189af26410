import { damaged } from "../../../src/adapters/archive/expand-blocks.js";

/**
 * What `scripts/exported-page.mjs` packs as LZMA, behind four bytes of CRC-32: that has a fifth less than gzip makes of the page, and no
 * browser unpacks it by itself.
 *
 * @throws ArchiveError where a byte is another one
 * @see https://github.com/jljusten/LZMA-SDK/blob/master/DOC/lzma-specification.txt, whose names these are
 */
export function unpackCode(packed: Uint8Array): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const lzma = packed.subarray(CHECK);
  // What is read below is what was written: no length in it has to be doubted.
  if (packed.length <= CHECK + HEADER + 5 || view.getUint32(0, true) !== crc32(lzma))
    throw damaged("it cannot be unpacked");
  const properties = lzma[0]!;
  const [literalContext, rest] = [properties % 9, Math.floor(properties / 9)];
  return decode(lzma, view.getUint32(CHECK + 5, true), {
    literalContext,
    literalPosition: rest % 5,
    position: Math.floor(rest / 5),
  });
}

const CHECK = 4;
/** The properties, the size of the dictionary, and that of what is unpacked. */
const HEADER = 13;

interface Properties {
  /** In bits, as the others. */
  readonly literalContext: number;
  readonly literalPosition: number;
  readonly position: number;
}

/** Where the probabilities of each kind of bit begin. */
const IS_MATCH = 0;
const IS_REP = IS_MATCH + 12 * 16;
const IS_REP_G0 = IS_REP + 12;
const IS_REP_G1 = IS_REP_G0 + 12;
const IS_REP_G2 = IS_REP_G1 + 12;
const IS_REP_0_LONG = IS_REP_G2 + 12;
const POS_SLOT = IS_REP_0_LONG + 12 * 16;
const POS_SPECIAL = POS_SLOT + 4 * 64;
const ALIGN = POS_SPECIAL + 128;
const LENGTH = ALIGN + 16;
const REP_LENGTH = LENGTH + 514;
const LITERAL = REP_LENGTH + 514;

function decode(
  lzma: Uint8Array,
  size: number,
  { literalContext, literalPosition, position }: Properties,
): Uint8Array {
  const bytes = new Uint8Array(size);
  const coder = new RangeDecoder(lzma, HEADER, LITERAL + (0x300 << (literalContext + literalPosition)));
  let state = 0;
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
  for (let at = 0; at < size; ) {
    const posState = at & ((1 << position) - 1);
    if (coder.bit(IS_MATCH + (state << 4) + posState) === 0) {
      const before = at === 0 ? 0 : bytes[at - 1]!;
      const context =
        ((at & ((1 << literalPosition) - 1)) << literalContext) + (before >> (8 - literalContext));
      const literal = LITERAL + 0x300 * context;
      bytes[at] = state < 7 ? coder.tree(literal, 8) : coder.literalBehind(literal, bytes[at - rep0 - 1]!);
      at++;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length: number;
    if (coder.bit(IS_REP + state) === 0) {
      [rep3, rep2, rep1] = [rep2, rep1, rep0];
      length = coder.length(LENGTH, posState);
      rep0 = coder.distance(Math.min(length - 2, 3));
      state = state < 7 ? 7 : 10;
    } else {
      if (coder.bit(IS_REP_G0 + state) === 0) {
        if (coder.bit(IS_REP_0_LONG + (state << 4) + posState) === 0) {
          state = state < 7 ? 9 : 11;
          bytes[at] = bytes[at - rep0 - 1]!;
          at++;
          continue;
        }
      } else if (coder.bit(IS_REP_G1 + state) === 0) [rep0, rep1] = [rep1, rep0];
      else if (coder.bit(IS_REP_G2 + state) === 0) [rep0, rep1, rep2] = [rep2, rep0, rep1];
      else [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
      length = coder.length(REP_LENGTH, posState);
      state = state < 7 ? 8 : 11;
    }
    for (const end = at + length; at < end; at++) bytes[at] = bytes[at - rep0 - 1]!;
  }
  return bytes;
}

/** Its members are private by their types alone: as such of the language they would be maps in the older browsers that this is built for. */
class RangeDecoder {
  private readonly bytes: Uint8Array;
  private readonly probabilities: Uint16Array;
  private at: number;
  private range = 0xffffffff;
  private code = 0;

  constructor(bytes: Uint8Array, at: number, probabilities: number) {
    this.bytes = bytes;
    this.probabilities = new Uint16Array(probabilities).fill(1024);
    this.at = at;
    // The first byte is 0.
    for (let i = 0; i < 5; i++) this.code = this.code * 256 + this.bytes[this.at++]!;
  }

  /** @param i of its probability */
  bit(i: number): number {
    const probability = this.probabilities[i]!;
    const bound = (this.range >>> 11) * probability;
    const bit = this.code < bound ? 0 : 1;
    if (bit === 0) {
      this.range = bound;
      this.probabilities[i] = probability + ((2048 - probability) >> 5);
    } else {
      this.range -= bound;
      this.code -= bound;
      this.probabilities[i] = probability - (probability >> 5);
    }
    this.normalize();
    return bit;
  }

  tree(first: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = node * 2 + this.bit(first + node);
    return node - (1 << bits);
  }

  reverseTree(first: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.bit(first + node);
      node = node * 2 + bit;
      value += bit << i;
    }
    return value;
  }

  /** @param match what stands in its place behind the last match */
  literalBehind(first: number, match: number): number {
    let node = 1;
    for (let i = 7; i >= 0; i--) {
      const expected = (match >> i) & 1;
      const bit = this.bit(first + 0x100 * (1 + expected) + node);
      node = node * 2 + bit;
      if (bit !== expected) {
        while (node < 0x100) node = node * 2 + this.bit(first + node);
        break;
      }
    }
    return node - 0x100;
  }

  length(first: number, posState: number): number {
    if (this.bit(first) === 0) return 2 + this.tree(first + 2 + 8 * posState, 3);
    if (this.bit(first + 1) === 0) return 10 + this.tree(first + 130 + 8 * posState, 3);
    return 18 + this.tree(first + 258, 8);
  }

  distance(lengthState: number): number {
    const slot = this.tree(POS_SLOT + 64 * lengthState, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    if (slot < 14) return base + this.reverseTree(POS_SPECIAL + base - slot, bits);
    return base + this.directBits(bits - 4) * 16 + this.reverseTree(ALIGN, 4);
  }

  private directBits(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      this.range = Math.floor(this.range / 2);
      const bit = this.code < this.range ? 0 : 1;
      if (bit === 1) this.code -= this.range;
      value = value * 2 + bit;
      this.normalize();
    }
    return value;
  }

  private normalize(): void {
    if (this.range >= 0x1000000) return;
    this.range *= 256;
    this.code = this.code * 256 + this.bytes[this.at++]!;
  }
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
