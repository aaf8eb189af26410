import { jsonTextOf } from "../../domain/json/json-text-of.js";

export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

const MOST_PARTS = 10_000;
const MOST_MEMBERS = 100_000;
/** About eight times the longest answer that a model gives today. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Bounds the memory of the pieces, which is more than that of their characters. */
const MOST_PIECES = 1_000_000;
/** Objects that arrive in one piece, such as the results of a search or a generated image. */
const MOST_OBJECT_CHARACTERS = 16 * 1024 * 1024;

/** A model, or a server that poses as one, decides the size of an answer: this bounds the memory of the recorder. */
export class AnswerLimits {
  #characters = 0;
  #pieces = 0;
  #objectCharacters = 0;
  #members = 0;

  /** @throws UnreadableAnswer */
  addMember(): void {
    this.#members++;
    if (this.#members > MOST_MEMBERS) throw new UnreadableAnswer(`it has more than ${MOST_MEMBERS} members`);
  }

  /** @throws UnreadableAnswer */
  addText(text: string): void {
    this.#characters += text.length;
    this.#pieces++;
    if (this.#characters > MOST_CHARACTERS)
      throw new UnreadableAnswer(`its text has more than ${MOST_CHARACTERS} characters`);
    if (this.#pieces > MOST_PIECES)
      throw new UnreadableAnswer(`its text has more than ${MOST_PIECES} pieces`);
  }

  /** @throws UnreadableAnswer */
  addObject(value: unknown): void {
    this.#objectCharacters += jsonTextOf(value)?.length ?? 0;
    if (this.#objectCharacters > MOST_OBJECT_CHARACTERS)
      throw new UnreadableAnswer(`its objects have more than ${MOST_OBJECT_CHARACTERS} characters`);
  }
}

/**
 * @param of owner of the index, such as `a content block`
 * @throws UnreadableAnswer unless it is an integer from 0 to 9,999
 */
export function checkedIndex(index: unknown, of: string): number {
  if (typeof index === "number" && Number.isInteger(index) && index >= 0 && index < MOST_PARTS) return index;
  throw new UnreadableAnswer(
    `${of} has the index ${shortTextOf(index)}, which is no integer from 0 to ${MOST_PARTS - 1}`,
  );
}

function shortTextOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  const text = jsonTextOf(value) ?? String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
