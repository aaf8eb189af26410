import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  futimesSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { jsonIn } from "../../../domain/json/json.js";
import { isPause } from "../../../domain/lists/is-pause.js";

/**
 * Format: a digest of the rest and of the purpose, then lines with a stamp, a path and a value, both as JSON. Damaged and foreign files
 * have another digest, and count as empty. Files are only replaced completely: of two processes the last writer wins.
 */

/** Lines with their ends, by their paths as JSON. */
export type CachedLines = Map<string, Buffer>;

/** Bytes: a longer file is not a cache file. */
const MOST_BYTES = 128 * 1024 * 1024;

const HEAD_BYTES = 128;

/** Bytes. */
export const STAMP_LENGTH = 32;

const TAB = 0x09;
const LINE_FEED = 0x0a;

const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function lineOf(file: string, stamp: string, value: unknown): string {
  return `${stamp}${JSON.stringify(file)}\t${JSON.stringify(value)}\n`;
}

/** `undefined` for another stamp. Callers must check the value. */
export function valueIn(line: Buffer, stamp: string): unknown {
  if (line.toString("latin1", 0, STAMP_LENGTH) !== stamp) return undefined;
  return jsonIn(textIn(line));
}

/** Ignores the stamp. */
export function textIn(line: Buffer): string {
  return line.toString("utf8", line.indexOf(TAB) + 1);
}

/** Also marks the file as used. */
export function readCacheFile(file: string, purpose: string): CachedLines {
  const values: CachedLines = new Map();
  const bytes = readComplete(file);
  const begin = bytes === undefined ? 0 : bytes.indexOf("\n") + 1;
  const content = bytes?.subarray(begin);
  if (content !== undefined && bytes?.toString("latin1", 0, begin - 1) === digestOf(purpose, content))
    addLines(values, content);
  return values;
}

/** Lines replace earlier ones. JSON text contains no line feed and no tab. */
export function addLines(values: CachedLines, lines: Uint8Array): void {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = bytes.indexOf(LINE_FEED, from) + 1 || bytes.length;
    const line = bytes.subarray(from, to);
    const tab = line.indexOf(TAB);
    if (tab < STAMP_LENGTH) continue;
    const key = line.toString("utf8", STAMP_LENGTH, tab);
    values.delete(key); // New lines come last.
    values.set(key, line);
  }
}

/** Drops the oldest of too many values. Ignores a failure to write. */
export function* writeCacheFile(
  file: string,
  purpose: string,
  values: CachedLines,
  mostBytes = MOST_BYTES,
): Generator<void, void> {
  const lines: Buffer[] = [];
  let bytes = HEAD_BYTES;
  for (const line of [...values.values()].reverse()) {
    bytes += line.length;
    if (bytes > mostBytes) break;
    lines.push(line);
  }
  const content = Buffer.concat(lines.reverse());
  yield;
  const draft = `${file}.${randomBytes(8).toString("hex")}.tmp`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const head = Buffer.from(`${digestOf(purpose, content)}\n`);
    writeFileSync(draft, Buffer.concat([head, content]), { flag: "wx", mode: 0o600 });
    renameSync(draft, file);
  } catch {
    ignoringErrors(() => rmSync(draft, { force: true }));
  }
}

export function* dropAbsent(values: CachedLines): Generator<void, void> {
  for (const [i, key] of [...values.keys()].entries()) {
    if (!existsSync(String(jsonIn(key)))) values.delete(key);
    if (isPause(i)) yield;
  }
}

function digestOf(purpose: string, content: Buffer): string {
  return createHash("sha256").update(purpose).update("\n").update(content).digest("hex");
}

/** `undefined` for an absent, irregular or unreadable file. */
function readComplete(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, READ_ONLY);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    const content = readFileSync(descriptor);
    markUsed(descriptor);
    return content;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Unused files are the first ones to be removed; a read-only folder stays unchanged. */
function markUsed(descriptor: number): void {
  const now = new Date();
  ignoringErrors(() => futimesSync(descriptor, now, now));
}

function ignoringErrors(work: () => void): void {
  try {
    work();
  } catch {}
}
