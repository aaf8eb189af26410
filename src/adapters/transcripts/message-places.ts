import { doubles, integers } from "../jsonl/columns.js";
import type { DerivedFile } from "./derived-file.js";
import { hash53 } from "./hash53.js";
import type { LinePlace } from "./trace-rows.js";

/** Where the records of a file lie that hold messages. One that is written again, under its id, is where it was written last. */
export class MessagePlaces {
  readonly #starts = doubles();
  readonly #lengths = integers();
  /** Where the messages begin that have an id, and those that were written again behind that. */
  readonly #newest = new Map<number, number>();
  readonly #replaced = new Set<number>();

  /** About how many bytes of memory it takes. */
  get bytes(): number {
    return this.#starts.bytes + this.#lengths.bytes + (this.#newest.size + this.#replaced.size) * 40;
  }

  add({ start, length }: LinePlace, messageId: string | undefined): void {
    if (messageId !== undefined) {
      const key = hash53(messageId);
      const before = this.#newest.get(key);
      if (before !== undefined) this.#replaced.add(before);
      this.#newest.set(key, start);
    }
    this.#starts.push(start);
    this.#lengths.push(length);
  }

  /** Where they lie now. */
  view(): Pick<DerivedFile, "messageStarts" | "messageLengths"> {
    const starts = this.#starts.view();
    const lengths = this.#lengths.view();
    if (this.#replaced.size === 0) return { messageStarts: starts, messageLengths: lengths };
    const isLast = (_: number, i: number) => !this.#replaced.has(starts[i]!);
    return { messageStarts: starts.filter(isLast), messageLengths: lengths.filter(isLast) };
  }
}
