import { InvalidRequestError } from "../errors.js";

const RANGE = /^(?<rule>.+-)(?<first>\d{1,6})\.\.(?<last>\d{1,6})$/;

const MOST = 100_000;

/**
 * Expands the ids in texts: single ids, or a range of numbers of a rule, because an address has no room for thousands.
 *
 * @throws InvalidRequestError for an empty range, and for more ids than a review can have
 * @example
 * findingsNamed(["api-key-3", "image-1..2"]); // ["api-key-3", "image-1", "image-2"]
 */
export function findingsNamed(texts: readonly string[]): string[] {
  const ids: string[] = [];
  for (const text of texts) {
    const { rule, first, last } = RANGE.exec(text)?.groups ?? {};
    if (rule === undefined) {
      ids.push(text);
      continue;
    }
    const [from, to] = [Number(first), Number(last)];
    if (from > to) throw new InvalidRequestError("keep", "has a range whose first number is above its last.");
    if (ids.length + to - from >= MOST)
      throw new InvalidRequestError("keep", "names more than there can be.");
    for (let number = from; number <= to; number++) ids.push(`${rule}${number}`);
  }
  return ids;
}
