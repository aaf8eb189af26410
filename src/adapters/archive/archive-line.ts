import { isJsonObject, type JsonObject } from "../../domain/json/json.js";
import { jsonTextOf } from "../../domain/json/json-text-of.js";

/** The lists whose records an archive holds one by one, by the first member of their lines. */
const LISTS = ["envelope", "message", "event"] as const;
export type ListName = (typeof LISTS)[number];

/** A record of a list: its own text, as it was stored, and what its line says besides. */
export interface RecordLine {
  readonly list: ListName;
  readonly text: string;
  readonly record: unknown;
  readonly shows?: unknown;
  readonly agent?: unknown;
}

/** What a line of an archive says: a record, or the line's own members. */
export type ArchiveLine = RecordLine | { readonly list: undefined; readonly members: JsonObject };

/** The last member of a line, behind its record. */
const LAST_MEMBER = /,"(shows|agent)":(\d{1,15}|"(?:[^"\\]|\\.)*")\}$/;

/** Of a longer end no agent's id is looked for. */
const LONGEST_END = 8_192;

/**
 * Reads a line. Of one that is written as this package writes it, the record alone is parsed: what stands around it is known then.
 *
 * @returns `undefined` for what is no object of JSON
 */
export function readLine(line: string): ArchiveLine | undefined {
  for (const list of LISTS) {
    const read = line.startsWith(`{"${list}":`) ? recordIn(line, list) : undefined;
    if (read !== undefined) return read;
  }
  const members = parsed(line)?.value;
  if (!isJsonObject(members)) return undefined;
  const list = LISTS.find((name) => Object.hasOwn(members, name));
  if (list === undefined) return { list: undefined, members };
  const { shows, agent, [list]: record } = members;
  return { list, text: jsonTextOf(record)!, record, shows, agent };
}

/** Which list a line seems to be of that cannot be read: `undefined` where that cannot be told. */
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
