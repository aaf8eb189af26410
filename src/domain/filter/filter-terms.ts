import { nearestName } from "../options/nearest-name.js";
import { SESSION_STATES } from "../session/session.js";
import { instantOf, type TimeZone } from "../trace/time-zone.js";
import { type FilterProblem, problemAt } from "./filter-problem.js";
import type { WordToken } from "./filter-tokens.js";
import {
  type FilterField,
  NUMBER_FIELDS,
  type NumberField,
  type SessionFilter,
  TEXT_FIELDS,
  type TextField,
  type TextTerm,
} from "./session-filter.js";

export interface FilterClock {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: TimeZone;
}

/** `error` is the older word for `failed`. */
const STATUSES: readonly string[] = [...SESSION_STATES, "error"];

const COMPARED = /^(>=|<=|>|<|=)?(.*)$/s;
const RANGE = /^(.*?)\.\.(.*)$/s;

export function termOf(
  field: FilterField,
  token: WordToken,
  clock: FilterClock,
): SessionFilter | FilterProblem {
  const { text, isQuoted, at, length } = token;
  if (text === "" && !(isQuoted && field === "user"))
    return problemAt({ at, length }, `"${field}:" has no value: ${valuesOf(field)}.`);
  return isNumberField(field) ? numberTerm(field, token, clock) : textTerm(field, token);
}

function isNumberField(field: FilterField): field is NumberField {
  return Object.hasOwn(NUMBER_FIELDS, field);
}

function valuesOf(field: FilterField): string {
  return isNumberField(field) ? NUMBER_FIELDS[field].says : TEXT_FIELDS[field].says;
}

/** Values between commas are alternatives. */
function textTerm(field: TextField, token: WordToken): SessionFilter | FilterProblem {
  const values = token.isQuoted ? [token.text] : token.text.split(",").filter((one) => one !== "");
  const wrong = field === "status" ? values.find((one) => !STATUSES.includes(one.toLowerCase())) : undefined;
  if (wrong !== undefined) {
    const nearest = nearestName(wrong, STATUSES);
    const place = { at: token.textAt + token.text.indexOf(wrong), length: wrong.length };
    return problemAt(place, `There is no status "${wrong}": it is ${TEXT_FIELDS.status.says}.`, nearest);
  }
  const terms = values.map((value) => textTermOf(field, value));
  return terms.length === 1 ? terms[0]! : { is: "any", of: terms };
}

function textTermOf(field: TextField, value: string): TextTerm {
  const ofParts = TEXT_FIELDS[field].compares === "part";
  const isExact = !ofParts || value.startsWith("=");
  const text = ofParts && isExact ? value.slice(1) : value;
  return { is: "text", field, value: text.toLowerCase(), isExact };
}

function numberTerm(field: NumberField, token: WordToken, clock: FilterClock): SessionFilter | FilterProblem {
  const { text, textAt } = token;
  const { unit } = NUMBER_FIELDS[field];
  const read = (value: string) => valueIn(unit, value, clock);
  const wrong = (value: string) =>
    problemAt({ at: textAt, length: text.length }, `"${value}" is no value of ${field}: ${valuesOf(field)}.`);
  if (unit === "instant") {
    const at = read(text);
    if (at === undefined) return wrong(text);
    const isAfter = field === "after";
    const ends = isAfter ? { least: at, most: Infinity } : { least: -Infinity, most: at };
    return { is: "number", field, ...ends, isOpen: !isAfter };
  }
  const [, from, to] = RANGE.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    const [least, most] = [from === "" ? -Infinity : read(from), to === "" ? Infinity : read(to)];
    if (least === undefined || most === undefined || from + to === "") return wrong(text);
    return { is: "number", field, least, most, isOpen: false };
  }
  const [, operator = "=", value = ""] = COMPARED.exec(text) ?? [];
  const number = read(value);
  if (number === undefined) return wrong(value);
  const isOpen = operator === ">" || operator === "<";
  const least = operator.startsWith("<") ? -Infinity : number;
  const most = operator.startsWith(">") ? Infinity : number;
  return { is: "number", field, least, most, isOpen };
}

const COUNT = /^(\d+(?:\.\d+)?)([kKmMgGbB]?)$/;
const COUNT_UNITS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9 };
const MONEY = /^\$?(\d+(?:\.\d+)?)$/;
const DURATION =
  /^(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/;

function valueIn(
  unit: (typeof NUMBER_FIELDS)[NumberField]["unit"],
  text: string,
  { now, zone }: FilterClock,
): number | undefined {
  switch (unit) {
    case "count": {
      const [, number, letter = ""] = COUNT.exec(text) ?? [];
      return number === undefined ? undefined : Number(number) * COUNT_UNITS[letter.toLowerCase()]!;
    }
    case "usd": {
      const [, number] = MONEY.exec(text) ?? [];
      return number === undefined ? undefined : Number(number);
    }
    case "ms": {
      const [, ...parts] = text === "" ? [] : (DURATION.exec(text.toLowerCase()) ?? []);
      if (parts.every((part) => part === undefined)) return undefined;
      const [d = 0, h = 0, m = 0, s = 0, ms = 0] = parts.map((part) => Number(part ?? 0));
      return (((d * 24 + h) * 60 + m) * 60 + s) * 1_000 + ms;
    }
    case "instant":
      return instantOf(text.toLowerCase() === text ? text : text.toUpperCase(), now, zone);
    default:
      return unit satisfies never;
  }
}
