import { cutDeep, isJsonObject, type JsonObject } from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";
import { LONGEST_MEMBERS, MOST_VALUES } from "./archive-bounds.js";

const LISTS = ["envelope", "message", "event"] as const;
export type ListName = (typeof LISTS)[number];

export interface RecordLine {
  readonly list: ListName;
  readonly text: string;
  readonly record: unknown;
  readonly shows?: unknown;
  readonly agent?: unknown;
}

export type ArchiveLine =
  | RecordLine
  | { readonly list: undefined; readonly members: JsonObject }
  | { readonly list: undefined; readonly members: undefined; readonly reason: string };

const LAST_MEMBER = /,"(shows|agent)":(\d{1,15}|"(?:[^"\\]|\\.)*")\}$/;

const LONGEST_END = 8_192;

/** In a line of this package only the record is parsed: the text around it has one form. */
export function readLine(line: string): ArchiveLine {
  if (hasManyValues(line))
    return unreadable(`holds more than ${MOST_VALUES.toLocaleString("en")} values, and is skipped`);
  for (const list of LISTS) {
    const read = line.startsWith(`{"${list}":`) ? recordIn(line, list) : undefined;
    if (read !== undefined) return read;
  }
  if (line.length > LONGEST_MEMBERS && !RECORD.test(line.slice(0, LONGEST_BEGINNING)))
    return unreadable(`is longer than ${LONGEST_MEMBERS / 2 ** 20} Mi characters, and is skipped`);
  const members = parsed(line)?.value;
  if (!isJsonObject(members)) return unreadable("is not valid JSON");
  const list = LISTS.find((name) => Object.hasOwn(members, name));
  if (list === undefined) return { list: undefined, members: cutDeep(members) as JsonObject };
  const { shows, agent, [list]: record } = members;
  return { list, text: jsonTextOf(record)!, record, shows, agent };
}

const LONGEST_BEGINNING = 100;
const RECORD = /^\s*\{\s*"(?:envelope|message|event)"/;

function unreadable(reason: string): ArchiveLine {
  return { list: undefined, members: undefined, reason };
}

function hasManyValues(line: string): boolean {
  if (line.length <= MOST_VALUES) return false;
  let [values, isText] = [0, false];
  for (let i = 0; i < line.length && values <= MOST_VALUES; i++) {
    const code = line.charCodeAt(i);
    if (code === QUOTE) isText = !isText;
    else if (isText) i += code === BACKSLASH ? 1 : 0;
    else if (code === COMMA || code === BRACKET || code === BRACE) values++;
  }
  return values > MOST_VALUES;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

export function likelyMember(line: string): string | undefined {
  return /^\s*\{\s*"([a-z]{1,20})"\s*:/.exec(line.slice(0, 100))?.[1];
}

function recordIn(line: string, list: ListName): RecordLine | undefined {
  const begin = list.length + 4;
  const from = Math.max(begin, line.length - LONGEST_END);
  const last = LAST_MEMBER.exec(line.slice(from));
  const end = last === null ? line.length - 1 : from + last.index;
  if (!line.endsWith("}") || end <= begin) return undefined;
  const text = line.slice(begin, end);
  const read = parsed(text);
  if (read === undefined) return undefined;
  const record = read.value;
  if (last === null) return { list, text, record };
  return { list, text, record, [last[1] as "shows" | "agent"]: JSON.parse(last[2]!) as unknown };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
