import { InvalidRequestError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import { type JsonList, recordsIn } from "../../application/questions/json-list.js";
import { endOfCharacter, fitted, type Shortenable, shortenable } from "./shorten.js";

/** How many characters the texts of an answer have at most: some 7,000 tokens. */
export const MOST_CHARACTERS = 25_000;

/** How many records an answer has at most, so that each has room enough. */
export const MOST_RECORDS = 50;

/** What an answer says beside its records and its cursor is made so short. */
const MOST_BESIDE = 4_000;

/** How many warnings are named; the others are counted. */
const MOST_WARNINGS = 5;

/** The texts of an answer. */
export type ToolAnswer = readonly string[];

/** Records of an answer, each as short as it has to be. */
export interface ListAnswer {
  readonly member: string;
  readonly records: readonly Shortenable[];
  /** Goes before the records. */
  readonly head?: object | undefined;
  readonly nextCursor: string | null | undefined;
  /** Goes behind them. */
  readonly rest?: object | undefined;
  /** How to read a record whole that was cut. */
  readonly whole: string;
}

/** `{"<member>":[…],…}`, a record a line. */
export function listAnswer({
  member,
  records,
  head = {},
  nextCursor,
  rest = {},
  whole,
}: ListAnswer): ToolAnswer {
  const beside = { nextCursor, ...bounded(rest) };
  const note = { note: `What ends with …[+n …] was cut. ${whole}` };
  const opening = `{${inside(head, "", ",")}${JSON.stringify(member)}:[`;
  const isCut = (texts: readonly string[]) => texts.some((text, i) => text.length < records[i]!.length);
  const closing = (texts: readonly string[]) =>
    `]${inside({ ...beside, ...(isCut(texts) ? note : {}) }, ",", "")}}`;
  const around = opening.length + JSON.stringify({ ...beside, ...note }).length + 2 * records.length + 4;
  const texts = fitted(records, MOST_CHARACTERS - around);
  const lines = texts.length === 0 ? "" : `\n${texts.join(",\n")}\n`;
  return [`${opening}${lines}${closing(texts)}`];
}

/** One object, as short as it has to be. */
export function objectAnswer(value: object, whole: string): ToolAnswer {
  const object = shortenable(value, MOST_CHARACTERS);
  const note = `\nWhat ends with …[+n …] was cut. ${whole}`;
  const [text = ""] = fitted([object], MOST_CHARACTERS - note.length);
  return [text.length === object.length ? text : text + note];
}

/**
 * A part of the JSON text of a list's only record.
 *
 * @throws InvalidRequestError where there is none, and for a place behind its end
 */
export async function partOfOnly({ texts }: JsonList, jsonFrom: number): Promise<ToolAnswer> {
  for await (const text of texts) return partAnswer(new TextDecoder().decode(text), jsonFrom);
  throw new InvalidRequestError("jsonFrom", "needs a record: there is none at that place.");
}

/**
 * A part of one record's JSON text, as it is stored, behind a line that says which part it is.
 *
 * @throws InvalidRequestError for a place behind its end
 */
export function partAnswer(json: string, jsonFrom: number): ToolAnswer {
  const { length } = json;
  if (jsonFrom > length) {
    throw new InvalidRequestError(
      "jsonFrom",
      `must be at most ${length}, which is how long the JSON text is.`,
    );
  }
  const to = endOfCharacter(json, Math.min(length, jsonFrom + MOST_CHARACTERS - 200));
  const part = { jsonFrom, jsonTo: to, jsonLength: length, nextJsonFrom: to < length ? to : null };
  return [JSON.stringify(part), json.slice(jsonFrom, to)];
}

/** The records of a list of a use case, each as it is to be shown. */
export async function shownRecords(
  list: JsonList,
  shownOf: (record: unknown) => unknown = (record) => record,
): Promise<Shortenable[]> {
  const records: Shortenable[] = [];
  for await (const record of recordsIn(list)) records.push(shortenable(shownOf(record), MOST_CHARACTERS));
  return records;
}

/** What could not be read, where there is something. */
export function warningsOf(warnings: readonly RecordWarning[]): object {
  if (warnings.length === 0) return {};
  return { warnings: warnings.slice(0, MOST_WARNINGS), warningCount: warnings.length };
}

function bounded(rest: object): object {
  return JSON.parse(shortenable(rest, MOST_BESIDE).within(MOST_BESIDE)) as object;
}

function inside(value: object, before: string, behind: string): string {
  const members = JSON.stringify(value).slice(1, -1);
  return members === "" ? "" : before + members + behind;
}
