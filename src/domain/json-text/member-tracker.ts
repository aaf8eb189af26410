import { MAX_KEPT, RecordMember } from "./record-member.js";

const decoder = new TextDecoder();

/**
 * Follows the members that somebody wants of a record, while a scanner reads it in pieces: which key is one of theirs, where
 * its value begins and ends. Members of the record itself lie at depth 1, members of its members at depth 2.
 */
export class MemberTracker {
  readonly #paths: readonly RecordMember[];
  readonly #top: readonly RecordMember[];
  /** The piece being read, where in it to begin, and what to add to an index for the place in the text. */
  #bytes: Uint8Array = new Uint8Array(0);
  #from = 0;
  #base = 0;
  /** Where in the piece the key goes on, and what earlier pieces held of it. */
  #keyFrom = 0;
  #keyBegun: number[] = [];
  keyIsEscaped = false;
  /** The member whose value comes next, and those whose values are being read. */
  #next: RecordMember | undefined;
  #reading: RecordMember | undefined;
  #readingChild: RecordMember | undefined;

  constructor(paths: readonly string[]) {
    const top: RecordMember[] = [];
    this.#paths = paths.map((path) => {
      const [outer = "", inner] = path.split(".");
      const member = findOrAdd(top, outer);
      return inner === undefined ? member : findOrAdd(member.children, inner);
    });
    this.#top = top;
  }

  /** The member of the path with that index. */
  at(path: number): RecordMember {
    return this.#paths[path]!;
  }

  reset(): void {
    if (this.#keyBegun.length > 0) this.#keyBegun = [];
    this.#next = undefined;
    this.#reading = undefined;
    this.#readingChild = undefined;
    for (const member of this.#top) member.clear();
  }

  beginPiece(bytes: Uint8Array, from: number, base: number): void {
    this.#bytes = bytes;
    this.#from = from;
    this.#base = base;
    this.#keyFrom = from;
  }

  /** Keeps what the piece holds of values, and of a key, that go on in the next one. */
  endPiece(to: number, isInKey: boolean): void {
    this.#reading?.keep(this.#bytes, this.#from, to, this.#base);
    this.#readingChild?.keep(this.#bytes, this.#from, to, this.#base);
    if (!isInKey) return;
    for (let i = this.#keyFrom; i < to && this.#keyBegun.length <= MAX_KEPT; i++) {
      this.#keyBegun.push(this.#bytes[i]!);
    }
  }

  /** @param from the index behind the key's opening quote */
  beginKey(from: number): void {
    this.#keyFrom = from;
    this.keyIsEscaped = false;
  }

  /** @param end the index of the key's closing quote */
  endKey(end: number, depth: number): void {
    const siblings = depth === 1 ? this.#top : this.#reading?.children;
    if (siblings !== undefined && siblings.length > 0) {
      this.#next =
        this.keyIsEscaped || this.#keyBegun.length > 0
          ? findSpelled(siblings, [...this.#keyBegun, ...this.#bytes.subarray(this.#keyFrom, end)])
          : findNamed(siblings, this.#bytes, this.#keyFrom, end);
    }
    if (this.#keyBegun.length > 0) this.#keyBegun = [];
  }

  /** Whether the value that comes next is wanted. */
  get isNext(): boolean {
    return this.#next !== undefined;
  }

  beginValue(at: number, depth: number): void {
    this.#next?.begin(this.#base + at);
    if (depth === 1) this.#reading = this.#next;
    else this.#readingChild = this.#next;
    this.#next = undefined;
  }

  /** @param end the index behind the value's last byte */
  endValue(end: number, depth: number): void {
    if (depth === 1 && this.#reading !== undefined) {
      this.#reading.finish(this.#bytes, this.#from, end, this.#base);
      this.#reading = undefined;
    } else if (depth === 2 && this.#readingChild !== undefined) {
      this.#readingChild.finish(this.#bytes, this.#from, end, this.#base);
      this.#readingChild = undefined;
    }
  }
}

function findOrAdd(siblings: RecordMember[], name: string): RecordMember {
  const known = siblings.find((sibling) => sibling.name === name);
  if (known !== undefined) return known;
  const added = new RecordMember(name);
  siblings.push(added);
  return added;
}

function findNamed(
  siblings: readonly RecordMember[],
  bytes: Uint8Array,
  from: number,
  to: number,
): RecordMember | undefined {
  for (const sibling of siblings) if (sibling.isNamed(bytes, from, to)) return sibling;
  return undefined;
}

/** The member whose name a key spells, perhaps with escapes. */
function findSpelled(siblings: readonly RecordMember[], key: readonly number[]): RecordMember | undefined {
  if (key.length > MAX_KEPT) return undefined;
  const name: unknown = JSON.parse(`"${decoder.decode(Uint8Array.from(key))}"`);
  return siblings.find((sibling) => sibling.name === name);
}
