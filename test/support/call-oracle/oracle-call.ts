import { readFileSync } from "node:fs";
import path from "node:path";

/** A message that a model call saw, by the place of its record in the raw file. */
export interface OracleMessage {
  /** `file:line` of its record, with `#item` where one record holds several; of Gemini CLI `file:id`. */
  readonly key: string;
  readonly role: string;
  /** The beginning of what it says; `""` where it says nothing in words. */
  readonly text: string;
  /** The vendor's id of the answer that it is a piece of, where one is recorded. */
  readonly answerId?: string | undefined;
  /** Words that it held once, and that this call no longer saw. */
  readonly gone?: string;
}

/** A model call of a raw file, and what it was given. */
export interface OracleCall {
  /** The file's name. */
  readonly file: string;
  /** The lines (of Gemini CLI the ids) of the records that tell of the call, in order. */
  readonly places: readonly (number | string)[];
  /** The vendor's id of its answer, where one is recorded: copies of a call share it. */
  readonly answerId?: string | undefined;
  readonly messages: readonly OracleMessage[];
}

/** A value of the file that is a message, to tell by what it holds which record a message of the inspector is. */
export interface RawMessage {
  readonly key: string;
  readonly file: string;
  readonly value: unknown;
}

export type Raw = Readonly<Record<string, unknown>>;

export interface RawLine {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly record: Raw;
}

/** A file of JSON Lines as it lies there; lines that are no objects are passed over. */
export function rawLines(file: string, endByte?: number): RawLine[] {
  const text = readFileSync(file).subarray(0, endByte).toString("utf8");
  return text.split("\n").flatMap((line, at) => {
    const record = parsed(line);
    return record === undefined ? [] : [{ file: path.basename(file), line: at + 1, record }];
  });
}

function parsed(line: string): Raw | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRaw(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectIn(record: Raw, name: string): Raw {
  const value = record[name];
  return isRaw(value) ? value : {};
}

export function textIn(record: Raw, name: string): string | undefined {
  const value = record[name];
  return typeof value === "string" ? value : undefined;
}

export function listIn(record: Raw, name: string): Raw[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter(isRaw) : [];
}

const BEGINNING = 60;

/** The first words of a content, whatever its parts are called. */
export function beginningOf(content: unknown): string {
  if (typeof content === "string") return content.slice(0, BEGINNING);
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const said = parts.map((part) => (isRaw(part) ? textIn(part, "text") : undefined)).find(Boolean);
  return (said ?? "").slice(0, BEGINNING);
}

export function groupedBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}
