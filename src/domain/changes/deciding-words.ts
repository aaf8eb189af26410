import { messageText } from "../conversation/compare-contexts.js";
import type { ReadMessage } from "../conversation/conversation.js";
import { excerptOf } from "../text/excerpt.js";
import type { DecidingMessage } from "./line-explanation.js";
import { isCommonWord } from "./line-keys.js";

/** The longest ones, because they are the rarest. */
const MOST_WORDS = 40;
const VISIBLE_WORDS = 8;
const AROUND = 110;

interface Word {
  readonly word: string;
  first: number;
  count: number;
}

interface Holder {
  readonly index: number;
  readonly item: number | undefined;
  readonly origin: ReadMessage["origin"];
  readonly text: string;
}

/** Finds the message in a context that supplied the words of some lines. Add the messages in their order. */
export class DecidingWords {
  readonly #words: readonly Word[];
  readonly #holders = new Map<number, Holder>();
  #size = 0;

  constructor(lines: readonly string[]) {
    const words = new Set<string>();
    for (const line of lines) {
      for (const [word] of line.matchAll(/[\p{L}\p{N}_$]{3,}/gu)) if (!isCommonWord(word)) words.add(word);
    }
    this.#words = [...words]
      .sort((a, b) => b.length - a.length)
      .slice(0, MOST_WORDS)
      .map((word) => ({ word, first: -1, count: 0 }));
  }

  add(message: ReadMessage, item?: number): void {
    const place = this.#size++;
    const text = messageText(message);
    for (const word of this.#words) {
      const at = wordIn(text, word.word);
      if (at === -1) continue;
      word.count++;
      if (word.first !== -1) continue;
      word.first = place;
      if (this.#holders.has(place)) continue;
      const { index, origin } = message;
      this.#holders.set(place, { index: Math.floor(index), item, origin, text: around(text, at) });
    }
  }

  /** Words that the model wrote before any other message are its own: later messages repeat them. */
  result(): {
    readonly because: Omit<DecidingMessage, "source"> | null;
    readonly place: number | undefined;
    readonly ownWords: readonly string[];
    readonly newWords: readonly string[];
  } {
    const newWords: string[] = [];
    const ownWords: string[] = [];
    const byHolder = new Map<number, Word[]>();
    for (const one of this.#words) {
      const holder = this.#holders.get(one.first);
      if (holder === undefined) newWords.push(one.word);
      else if (holder.origin === "assistant") ownWords.push(one.word);
      else byHolder.set(one.first, [...(byHolder.get(one.first) ?? []), one]);
    }
    let best: readonly [place: number, words: readonly Word[], score: number] | undefined;
    for (const [place, words] of byHolder) {
      const score = words.reduce((sum, one) => sum + this.#rarity(one), 0);
      if (best === undefined || score > best[2]) best = [place, words, score];
    }
    return {
      because: best === undefined ? null : this.#decidingMessage(best[0], best[1]),
      place: best?.[0],
      ownWords: ownWords.slice(0, VISIBLE_WORDS),
      newWords: newWords.slice(0, VISIBLE_WORDS),
    };
  }

  #rarity({ word, count }: Word): number {
    return Math.log(1 + this.#size / count) * Math.min(word.length, 16);
  }

  #decidingMessage(place: number, words: readonly Word[]): Omit<DecidingMessage, "source"> {
    const { index, item, origin, text } = this.#holders.get(place)!;
    const rarest = [...words].sort((a, b) => this.#rarity(b) - this.#rarity(a));
    return {
      index,
      ...(item === undefined ? {} : { item }),
      origin,
      words: rarest.slice(0, VISIBLE_WORDS).map(({ word }) => word),
      text,
    };
  }
}

const PART_OF_WORD = /[\p{L}\p{N}_$]/u;

function wordIn(text: string, word: string): number {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before = "", behind = ""] = [text[at - 1], text[at + word.length]];
    if (!PART_OF_WORD.test(before) && !PART_OF_WORD.test(behind)) return at;
  }
  return -1;
}

function around(text: string, at: number): string {
  const from = Math.max(0, at - AROUND);
  const part = text.slice(from, at + AROUND).replace(/^[\uDC00-\uDFFF]/, "");
  return `${from > 0 ? "…" : ""}${excerptOf(part) ?? ""}`;
}
