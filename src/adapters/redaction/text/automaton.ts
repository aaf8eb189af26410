export interface Hit {
  readonly pattern: number;
  readonly start: number;
  readonly end: number;
  readonly isCut: boolean;
}

const CUT = new Set([..."….[<"].map((char) => char.charCodeAt(0)));
/** Added or read characters between two pauses: some milliseconds. A hit costs more than a character. */
const STEPS_BETWEEN_PAUSES = 20_000;
const HIT_STEPS = 20;
/** A shorter beginning may be any word. */
const SHORTEST_CUT = 8;

/**
 * Aho and Corasick, 1975: the time does not depend on the number of patterns or their common parts. A regular expression would be too
 * large, and slow on some texts. Ignores ASCII case: callers that need it must compare the match.
 */
export class Automaton {
  readonly #patterns: readonly string[];
  /** Transitions as a hash table of node and character. */
  readonly #table: Int32Array;
  readonly #mask: number;
  /** By node: the node of its longest suffix, its own pattern, and the next suffix with a pattern. */
  readonly #fallback: Int32Array;
  readonly #ends: Int32Array;
  readonly #nextEnd: Int32Array;
  /** By node: parent, character from the parent, and distance from the root. */
  readonly #parent: Int32Array;
  readonly #char: Uint16Array;
  readonly #depth: Int32Array;
  readonly #through: Int32Array;
  readonly #alike = new Map<number, number[]>();
  readonly #begins = new Uint8Array(65_536);
  #nodes = 1;

  private constructor(patterns: readonly string[]) {
    this.#patterns = patterns;
    const size = 1 + patterns.reduce((sum, pattern) => sum + pattern.length, 0);
    let capacity = 16;
    while (capacity < 2 * size) capacity *= 2;
    this.#table = new Int32Array(3 * capacity);
    this.#mask = capacity - 1;
    this.#fallback = new Int32Array(size);
    this.#ends = new Int32Array(size).fill(-1);
    this.#nextEnd = new Int32Array(size);
    this.#parent = new Int32Array(size);
    this.#char = new Uint16Array(size);
    this.#depth = new Int32Array(size);
    this.#through = new Int32Array(size);
  }

  static *build(patterns: readonly string[]): Generator<void, Automaton> {
    const automaton = new Automaton(patterns);
    let length = 0;
    for (const [at, pattern] of patterns.entries()) {
      automaton.#add(at, pattern);
      length += pattern.length;
      if (length < STEPS_BETWEEN_PAUSES) continue;
      length = 0;
      yield;
    }
    yield* automaton.#link();
    return automaton;
  }

  /** Reports all hits by end, also nested and overlapping ones. Pauses. */
  *find(text: string, report: (hit: Hit) => void): Generator<void, void> {
    if (this.#nodes === 1) return;
    let node = 0;
    let steps = 0;
    for (let i = 0; i < text.length; i++) {
      if (++steps >= STEPS_BETWEEN_PAUSES) {
        steps = 0;
        yield;
      }
      const char = folded(text.charCodeAt(i));
      if (node === 0 && this.#begins[char] === 0) continue;
      if (CUT.has(char) && this.#get(node, char) === 0) this.#reportCut(node, i, report);
      node = this.#step(node, char);
      for (
        let end = this.#ends[node] === -1 ? this.#nextEnd[node]! : node;
        end > 0;
        end = this.#nextEnd[end]!
      ) {
        steps += HIT_STEPS;
        this.#report(this.#ends[end]!, i + 1, report);
      }
    }
    this.#reportCut(node, text.length, report);
  }

  /** An excerpt may be cut inside a value. */
  #reportCut(node: number, end: number, report: (hit: Hit) => void): void {
    const depth = this.#depth[node]!;
    const pattern = this.#through[node]!;
    const { length } = this.#patterns[pattern]!;
    if (depth < SHORTEST_CUT || depth === length || 4 * depth < length) return;
    report({ pattern, start: end - depth, end, isCut: true });
  }

  #report(pattern: number, end: number, report: (hit: Hit) => void): void {
    const start = end - this.#patterns[pattern]!.length;
    report({ pattern, start, end, isCut: false });
    for (const other of this.#alike.get(pattern) ?? []) report({ pattern: other, start, end, isCut: false });
  }

  #step(from: number, char: number): number {
    for (let node = from; ; node = this.#fallback[node]!) {
      const next = this.#get(node, char);
      if (next !== 0) return next;
      if (node === 0) return 0;
    }
  }

  #add(at: number, pattern: string): void {
    if (pattern === "") return;
    this.#begins[folded(pattern.charCodeAt(0))] = 1;
    let node = 0;
    for (let i = 0; i < pattern.length; i++) {
      const char = folded(pattern.charCodeAt(i));
      let next = this.#get(node, char);
      if (next === 0) {
        next = this.#nodes++;
        this.#parent[next] = node;
        this.#char[next] = char;
        this.#depth[next] = i + 1;
        this.#through[next] = at;
        this.#set(node, char, next);
      }
      node = next;
    }
    const first = this.#ends[node]!;
    const alike = this.#alike.get(first);
    if (first === -1) this.#ends[node] = at;
    else if (alike !== undefined) alike.push(at);
    else this.#alike.set(first, [at]);
  }

  /** Breadth first: a fallback is less deep than its node. */
  *#link(): Generator<void, void> {
    let steps = 0;
    for (const node of this.#byDepth()) {
      if (++steps % STEPS_BETWEEN_PAUSES === 0) yield;
      const parent = this.#parent[node]!;
      const fallback = parent === 0 ? 0 : this.#step(this.#fallback[parent]!, this.#char[node]!);
      this.#fallback[node] = fallback;
      this.#nextEnd[node] = this.#ends[fallback] === -1 ? this.#nextEnd[fallback]! : fallback;
    }
  }

  #byDepth(): Int32Array {
    const deepest = this.#patterns.reduce((most, { length }) => Math.max(most, length), 0);
    const starts = new Int32Array(deepest + 2);
    for (let node = 1; node < this.#nodes; node++) starts[this.#depth[node]! + 1]!++;
    for (let depth = 1; depth < starts.length; depth++) starts[depth]! += starts[depth - 1]!;
    const ordered = new Int32Array(this.#nodes - 1);
    for (let node = 1; node < this.#nodes; node++) ordered[starts[this.#depth[node]!]!++] = node;
    return ordered;
  }

  #slot(node: number, char: number): number {
    const hash = Math.imul(node, 0x9e3779b1) ^ Math.imul(char + 1, 0x85ebca6b);
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    for (;;) {
      const at = 3 * slot;
      if (this.#table[at + 2] === 0 || (this.#table[at] === node && this.#table[at + 1] === char)) return at;
      slot = (slot + 1) & this.#mask;
    }
  }

  #get(node: number, char: number): number {
    return this.#table[this.#slot(node, char) + 2]!;
  }

  #set(node: number, char: number, to: number): void {
    const at = this.#slot(node, char);
    this.#table[at] = node;
    this.#table[at + 1] = char;
    this.#table[at + 2] = to;
  }
}

function folded(char: number): number {
  return char >= 65 && char <= 90 ? char + 32 : char;
}
