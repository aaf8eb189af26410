import { readFileSync } from "node:fs";
import path from "node:path";

export interface OracleMessage {
  /** `file:line` of its record, with `#item` where one record holds several; for Gemini CLI `file:id`. */
  readonly key: string;
  readonly role: string;
  /** The beginning of its text; `""` without any words. */
  readonly text: string;
  /** The vendor's id of its answer, where one is recorded. */
  readonly answerId?: string | undefined;
  /** Earlier words that this call no longer has. */
  readonly gone?: string;
}

export interface OracleCall {
  readonly file: string;
  /** Lines (for Gemini CLI ids) of the call's records, in order. */
  readonly places: readonly (number | string)[];
  /** The vendor's id of its answer; copies of a call share it. */
  readonly answerId?: string | undefined;
  readonly messages: readonly OracleMessage[];
}

/** Its content identifies the record of an inspector's message. */
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

/** Skips lines that are no objects. */
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
