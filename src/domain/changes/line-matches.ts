import { LEAST_WEIGHT } from "./line-keys.js";
import type { OwnedLine } from "./line-owners.js";
import type { LineTexts } from "./line-texts.js";

/** Maximum number of positions that are tried for a line that occurs often in a text. */
const MOST_PLACES = 64;

/** Lines in their order, indexed by their texts. A position is the number of a line; the first one need not be 0. */
export interface LineLocations {
  readonly first: number;
  /** One after the last position. */
  readonly end: number;
  line(place: number): OwnedLine;
  key(place: number): string;
  /**
   * Positions of lines by their keys: the first positions of each.
   *
   * @param wanted the requested keys. A history has many more lines, so the weights of the others are not computed
   * @param taken positions that are already used
   */
  placesOf(wanted: ReadonlySet<string>, taken: ReadonlySet<number>): ReadonlyMap<string, readonly number[]>;
}

/** A list of lines as it is. */
export class ListedLines implements LineLocations {
  readonly first = 0;
  readonly #lines: readonly OwnedLine[];
  readonly #texts: LineTexts;
  readonly #keys: (string | undefined)[];

  constructor(lines: readonly OwnedLine[], texts: LineTexts) {
    this.#lines = lines;
    this.#keys = new Array(lines.length);
    this.#texts = texts;
  }

  get end(): number {
    return this.#lines.length;
  }

  line(place: number): OwnedLine {
    return this.#lines[place]!;
  }

  key(place: number): string {
    this.#keys[place] ??= this.#texts.key(this.line(place).text);
    return this.#keys[place];
  }

  placesOf(wanted: ReadonlySet<string>, taken: ReadonlySet<number>): ReadonlyMap<string, readonly number[]> {
    const places = new Map<string, number[]>();
    for (let place = 0; place < this.end; place++) {
      if (taken.has(place)) continue;
      const key = this.key(place);
      if (!wanted.has(key)) continue;
      if (this.#texts.weight(this.line(place).text) < LEAST_WEIGHT) continue;
      const existing = places.get(key);
      if (existing === undefined) places.set(key, [place]);
      else if (existing.length < MOST_PLACES) existing.push(place);
    }
    return places;
  }
}

/**
 * Deleted lines of a file: the last ones. The position of each is stored when it is added: there are many lines, and few of them are
 * requested.
 */
export class GoneLines implements LineLocations {
  readonly #most: number;
  readonly #texts: LineTexts;
  readonly #placesOf = new Map<string, number[]>();
  #lines: OwnedLine[] = [];
  /** The place of the first of the lines that are held, and of the first of those that count. */
  #held = 0;
  first = 0;

  /** @param most how many lines count */
  constructor(most: number, texts: LineTexts) {
    this.#most = most;
    this.#texts = texts;
  }

  get end(): number {
    return this.#held + this.#lines.length;
  }

  line(place: number): OwnedLine {
    return this.#lines[place - this.#held]!;
  }

  key(place: number): string {
    return this.#texts.key(this.line(place).text);
  }

  add(line: OwnedLine): void {
    if (this.#texts.weight(line.text) >= LEAST_WEIGHT) {
      const key = this.#texts.key(line.text);
      const places = this.#placesOf.get(key);
      if (places === undefined) this.#placesOf.set(key, [this.end]);
      else places.push(this.end);
    }
    this.#lines.push(line);
  }

  /** Lets go what is too much. */
  trim(): void {
    this.first = Math.max(this.first, this.end - this.#most);
    // Not each time: what is left is moved for it.
    if (this.first - this.#held < this.#most) return;
    this.#lines = this.#lines.slice(this.first - this.#held);
    this.#held = this.first;
    for (const [key, places] of this.#placesOf) {
      const left = places.filter((place) => place >= this.first);
      if (left.length === 0) this.#placesOf.delete(key);
      else this.#placesOf.set(key, left);
    }
  }

  placesOf(wanted: ReadonlySet<string>, taken: ReadonlySet<number>): ReadonlyMap<string, readonly number[]> {
    const located = new Map<string, readonly number[]>();
    for (const key of wanted) {
      const places = this.#placesOf.get(key) ?? [];
      const open: number[] = [];
      for (let i = 0; i < places.length && open.length < MOST_PLACES; i++)
        if (places[i]! >= this.first && !taken.has(places[i]!)) open.push(places[i]!);
      if (open.length > 0) located.set(key, open);
    }
    return located;
  }
}
