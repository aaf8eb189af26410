import { firstWhere } from "./lists.js";

export class FirstOnes<Item> {
  readonly items: Item[] = [];
  readonly #limit: number;
  readonly #compare: (a: Item, b: Item) => number;

  constructor(limit: number, compare: (a: Item, b: Item) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  get room(): number {
    return this.#limit - this.items.length;
  }

  add(item: Item): void {
    const { items } = this;
    if (this.room === 0 && (items.length === 0 || this.#compare(item, items.at(-1)!) >= 0)) return;
    const at = firstWhere(0, items.length, (i) => this.#compare(item, items[i]!) < 0);
    items.splice(at, 0, item);
    if (items.length > this.#limit) items.pop();
  }
}
