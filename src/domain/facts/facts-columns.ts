import { MOST_NAMES } from "./session-facts.js";

/** Names by their places. When there are too many, new ones have the place of the nameless. */
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
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    // One place is left for those that find none.
    const isFull = this.list.length >= MOST_NAMES - 1 && key !== this.#keyOf(this.#nameless);
    if (isFull) return this.placeOf(this.#nameless);
    const place = this.list.push(name) - 1;
    this.#places.set(key, place);
    return place;
  }
}

/** Rows of numbers in columns, found by what they are told apart by. */
export class Rows<Name extends string> {
  readonly columns: { readonly [Column in Name]: number[] };
  readonly #names: readonly Name[];
  readonly #rows = new Map<string, number>();

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.columns = Object.fromEntries(names.map((name) => [name, []])) as unknown as {
      readonly [Column in Name]: number[];
    };
  }

  /** The row of a key; a new one holds 0 in all columns. */
  rowOf(quarter: number, first = 0, second = 0, third = 0, fourth = 0): number {
    const text = `${quarter} ${first} ${second} ${third} ${fourth}`;
    const known = this.#rows.get(text);
    if (known !== undefined) return known;
    const row = this.#rows.size;
    this.#rows.set(text, row);
    for (const name of this.#names) this.columns[name].push(0);
    return row;
  }
}
