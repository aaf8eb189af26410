import { hash53 } from "../../domain/text/fingerprints.js";
import { doubles, integers } from "../files/bytes/columns.js";
import type { DerivedFile } from "./derived-file.js";
import type { LinePlace } from "./trace-rows.js";

/** Where the records of a file lie that hold messages. One that is written again, under its id, is where it was written last. */
export class MessagePlaces {
  readonly #starts = doubles();
  readonly #lengths = integers();
  readonly #contents = doubles();
  /** Where the messages begin that have an id, and those that were written again behind that. */
  readonly #newest = new Map<number, number>();
  readonly #replaced = new Set<number>();

  /** About how many bytes of memory it takes. */
  get bytes(): number {
    const columns = this.#starts.bytes + this.#lengths.bytes + this.#contents.bytes;
    return columns + (this.#newest.size + this.#replaced.size) * 40;
  }

  add({ start, length, content }: LinePlace, messageId: string | undefined): void {
    if (messageId !== undefined) {
      const key = hash53(messageId);
      const before = this.#newest.get(key);
      if (before !== undefined) this.#replaced.add(before);
      this.#newest.set(key, start);
    }
    this.#starts.push(start);
    this.#lengths.push(length);
    this.#contents.push(content);
  }

  /** Where they lie now. */
  view(): Pick<DerivedFile, "messageStarts" | "messageLengths" | "messageContents"> {
    const messageStarts = this.#starts.view();
    const messageLengths = this.#lengths.view();
    const messageContents = this.#contents.view();
    if (this.#replaced.size === 0) return { messageStarts, messageLengths, messageContents };
    const isLast = (_: number, i: number) => !this.#replaced.has(messageStarts[i]!);
    return {
      messageStarts: messageStarts.filter(isLast),
      messageLengths: messageLengths.filter(isLast),
      messageContents: messageContents.filter(isLast),
    };
  }
}
