import { MOST_NAMES } from "./session-facts.js";

/** Indexes of names. If there are too many, new names share the index of the nameless. */
export class Names<Name> {
  readonly list: Name[] = [];
  readonly #places = new Map<string, number>();
  readonly #keyOf: (name: Name) => string;
  readonly #nameless: Name;

  constructor(keyOf: (name: Name) => string, nameless: Name) {
    this.#keyOf = keyOf;
    this.#nameless = nameless;
  }

  placeOf(name: Name): number {
    const key = this.#keyOf(name);
    const cached = this.#places.get(key);
    if (cached !== undefined) return cached;
    const isFull = this.list.length >= MOST_NAMES - 1 && key !== this.#keyOf(this.#nameless);
    if (isFull) return this.placeOf(this.#nameless);
    const place = this.list.push(name) - 1;
    this.#places.set(key, place);
    return place;
  }
}

/** Number of values of each key part. The limits make the key of any row an exact number, and a map finds a number faster than a text. */
const MOST_SECOND = 220;
const MOST_THIRD = 8;
const MOST_FOURTH = 2;
const MOST_PLACES = MOST_NAMES * MOST_SECOND * MOST_THIRD * MOST_FOURTH;

export class Rows<Name extends string> {
  readonly columns: { readonly [Column in Name]: number[] };
  readonly #names: readonly Name[];
  readonly #rows = new Map<number, number>();

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.columns = Object.fromEntries(names.map((name) => [name, []])) as unknown as {
      readonly [Column in Name]: number[];
    };
  }

  get size(): number {
    return this.#rows.size;
  }

  /** A new row holds 0 in all columns. */
  rowOf(quarter: number, first = 0, second = 0, third = 0, fourth = 0): number {
    const place = ((first * MOST_SECOND + second + 1) * MOST_THIRD + third) * MOST_FOURTH + fourth;
    const key = quarter * MOST_PLACES + place;
    const cached = this.#rows.get(key);
    if (cached !== undefined) return cached;
    const row = this.#rows.size;
    this.#rows.set(key, row);
    for (const name of this.#names) this.columns[name].push(0);
    return row;
  }
}
