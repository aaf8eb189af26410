/** 64 bits, for revisions: collisions are practically impossible. */
export function longFingerprint(text: string): string {
  let first = 0x811c9dc5;
  let second = 1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x01000193);
  }
  return fingerprint("", first) + fingerprint("", second);
}

const double = new Float64Array(1);
const doubleWords = new Uint32Array(double.buffer);

/** 64 bits, for revisions: a pair of hashes over words of four bytes. */
export class ByteFingerprint {
  #first = 0x811c9dc5;
  #second: number;

  constructor(seed = 1) {
    this.#second = seed;
  }

  add(bytes: Uint8Array): void {
    let first = this.#first;
    let second = this.#second ^ bytes.length;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const words = bytes.length & ~3;
    for (let i = 0; i < words; i += 4) {
      const word = view.getUint32(i, true);
      first = Math.imul(first ^ word, 0x01000193);
      first ^= first >>> 15;
      second = Math.imul(second ^ word, 0x85ebca6b);
      second ^= second >>> 13;
    }
    for (let i = words; i < bytes.length; i++) {
      first = Math.imul(first ^ bytes[i]!, 0x01000193);
      second = Math.imul(second ^ bytes[i]!, 0x85ebca6b);
    }
    this.#first = first;
    this.#second = second;
  }

  addNumber(number: number): void {
    double[0] = number;
    this.#addWord(doubleWords[0]!);
    this.#addWord(doubleWords[1]!);
  }

  #addWord(word: number): void {
    const first = Math.imul(this.#first ^ word, 0x01000193);
    this.#first = first ^ (first >>> 15);
    const second = Math.imul(this.#second ^ word, 0x85ebca6b);
    this.#second = second ^ (second >>> 13);
  }

  /** 53 bits. */
  toNumber(): number {
    return (this.#second >>> 11) * 0x1_0000_0000 + (this.#first >>> 0);
  }

  /** Sixteen hexadecimal digits. */
  toString(): string {
    return fingerprint("", this.#first) + fingerprint("", this.#second);
  }
}

/** 53 bits. */
export function fingerprintOfNumbers(...numbers: readonly number[]): number {
  const fingerprint = new ByteFingerprint();
  for (const number of numbers) fingerprint.addNumber(number);
  return fingerprint.toNumber();
}

/** FNV-1a over UTF-16 code units with murmur3's mixer: eight hexadecimal digits. */
export function fingerprint(text: string, seed?: number): string {
  return finished(fnv1a(text, seed));
}

/** @param hash of the previous text */
function fnv1a(text: string, hash = 0x811c9dc5): number {
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

function finished(hash: number): string {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  return HEX[hash >>> 24]! + HEX[(hash >>> 16) & 0xff]! + HEX[(hash >>> 8) & 0xff]! + HEX[hash & 0xff]!;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** FNV-1a, twice: 53 bits, few collisions among a hundred million records. */
export function hash53(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}

const SEEDS = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b] as const;

/**
 * Id of a record without a stored one: the same text has the same id in every response. UUID version 8 (RFC 9562 section 5.8); a
 * fingerprint, not a secret.
 */
export function derivedId(text: string): string {
  return idOf(SEEDS.map((seed) => fnv1a(text, seed)));
}

/**
 * Reads the common beginning of many texts only once.
 * @example derivedIds("a/")("b") === derivedId("a/b")
 */
export function derivedIds(beginning: string): (rest: string) => string {
  const begun = SEEDS.map((seed) => fnv1a(beginning, seed));
  return (rest) => idOf(begun.map((hash) => fnv1a(rest, hash)));
}

function idOf(hashes: readonly number[]): string {
  const hex = hashes.map(finished).join("");
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
