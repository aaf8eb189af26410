import type { JsonObject } from "../../domain/json/json.js";
import { MOST_ITEM_CHARACTERS, MOST_ITEM_VALUES } from "./archive-bounds.js";

export function boundedItem(item: JsonObject): {
  readonly item: JsonObject;
  readonly dropped: readonly string[];
} {
  const bounded: { [name: string]: unknown } = {};
  const dropped: string[] = [];
  const room = new Room();
  for (const [name, value] of Object.entries(item)) {
    if (room.takes(name) && new Room().takes(value)) bounded[name] = value;
    else if (dropped.length < MOST_NAMED) dropped.push(name.slice(0, LONGEST_NAME));
  }
  return { item: bounded, dropped };
}

const MOST_NAMED = 5;
const LONGEST_NAME = 50;

class Room {
  #values = MOST_ITEM_VALUES;
  #characters = MOST_ITEM_CHARACTERS;

  takes(value: unknown): boolean {
    this.#values--;
    if (typeof value === "string") this.#characters -= value.length;
    if (this.#values < 0 || this.#characters < 0) return false;
    if (typeof value !== "object" || value === null) return true;
    if (Array.isArray(value)) return value.length <= this.#values && value.every((one) => this.takes(one));
    return Object.entries(value).every(([name, one]) => this.takes(name) && this.takes(one));
  }
}
