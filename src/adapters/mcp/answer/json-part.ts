import { InvalidRequestError } from "../../../application/errors.js";
import type { JsonList } from "../../../application/questions/json-list.js";
import { type AnswerText, fields, json, MOST_CHARACTERS } from "./answer.js";
import { own } from "./own-words.js";
import { quotedJson } from "./quotation.js";
import { endOfCharacter } from "./shorten.js";

const BESIDE = 700;

/**
 * The part is as stored, but with hidden characters escaped.
 * @throws InvalidRequestError if there is no record, or if the position is after its end
 */
export async function partOfOnly({ texts }: JsonList, from: number): Promise<readonly AnswerText[]> {
  for await (const text of texts) return partOf(new TextDecoder().decode(text), from);
  throw new InvalidRequestError("jsonFrom", "needs a record: no record has this position.");
}

function partOf(text: string, from: number): readonly AnswerText[] {
  const { length } = text;
  if (from > length) {
    throw new InvalidRequestError(
      "jsonFrom",
      `must be at most ${length}, which is how long the JSON text is.`,
    );
  }
  for (let most = MOST_CHARACTERS - BESIDE; ; most = Math.floor(most / 2)) {
    const to = endOfCharacter(text, Math.min(length, from + most));
    const quoted = quotedJson(text.slice(from, to));
    if (quoted.length > MOST_CHARACTERS - BESIDE && most > 1) continue;
    const place = {
      jsonFrom: from,
      jsonTo: to,
      jsonLength: length,
      nextJsonFrom: to < length ? to : undefined,
    };
    return [fields(own`part of the record's JSON`, place), json(quoted)];
  }
}
