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

/** A file that is longer is none of ours. */
const MOST_BYTES = 8 * 1024 * 1024;

/** A number of new values that is always worth a writing; more of them where the file holds more already. */
const FEW = 8;

/** How long new values wait for others before they are written, in milliseconds: a session that goes on gives one every second. */
const PATIENCE_MS = 10_000;

/** What stands before all values, at most. */
const HEAD_BYTES = 128;

/** The stamp that stands before each value, in characters. */
const STAMP_LENGTH = 32;

const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * One file of a cache: the first line is a digest of all that follows, and of what the file is for. Then a line each: a stamp, the
 * path that the value is of, and the value, both as JSON. What is damaged, of other code or of another source has another digest,
 * and counts as empty. A file is only ever replaced as a whole, so that two processes may write it.
 */
export class CacheShard {
  readonly #file: string;
  readonly #purpose: string;
  /** By path, as JSON: the stamp and the value. */
  #values: Map<string, string> | undefined;
  readonly #used = new Set<string>();
  #stored = 0;
  #added = 0;
  #savedAt = Number.NEGATIVE_INFINITY;

  /** @param purpose the code and the source that the values are of */
  constructor(file: string, purpose: string) {
    this.#file = file;
    this.#purpose = purpose;
  }

  get size(): number {
    return this.#load().size;
  }

  /** The value of a path, where it has that stamp. It is not checked in any way. */
  get(file: string, stamp: string): unknown {
    const key = JSON.stringify(file);
    const values = this.#load();
    const text = values.get(key);
    if (text === undefined || !text.startsWith(stamp)) return undefined;
    this.#used.add(key);
    return jsonIn(text.slice(STAMP_LENGTH));
  }

  set(file: string, stamp: string, value: unknown): void {
    const key = JSON.stringify(file);
    const values = this.#load();
    values.set(key, stamp + JSON.stringify(value));
    this.#used.add(key);
    this.#added++;
    // As many as there were, so that all writings of a long list cost what the last one does.
    if (this.#added >= Math.max(FEW, this.#stored)) this.#write(values);
  }

  /**
   * Writes what is new, unless that was done a moment ago, and lets go of what it loaded.
   *
   * @param isLast whether it is written in any case
   * @returns whether something is still to be written
   */
  save(isLast: boolean): boolean {
    const values = this.#values;
    if (values === undefined) return false;
    if (this.#added > 0) {
      if (!isLast && performance.now() - this.#savedAt < PATIENCE_MS) return true;
      this.#savedAt = performance.now();
      this.#dropAbsent(values);
      this.#write(values);
    }
    this.#values = undefined;
    this.#used.clear();
    return false;
  }

  /** Values of files that are gone. */
  #dropAbsent(values: Map<string, string>): void {
    for (const key of [...values.keys()]) {
      if (!this.#used.has(key) && !existsSync(pathOf(key))) values.delete(key);
    }
  }

  #load(): Map<string, string> {
    if (this.#values === undefined) {
      this.#values = parse(readWhole(this.#file), this.#purpose);
      this.#stored = this.#values.size;
    }
    return this.#values;
  }

  /** As many values as a file may hold: those that were used come first. */
  #contentOf(values: Map<string, string>): Buffer {
    const lines: Buffer[] = [];
    let bytes = HEAD_BYTES;
    for (const key of new Set([...this.#used, ...values.keys()])) {
      const text = values.get(key);
      if (text === undefined) continue;
      const line = Buffer.from(`${text.slice(0, STAMP_LENGTH)}${key}\t${text.slice(STAMP_LENGTH)}\n`);
      if (bytes + line.length > MOST_BYTES) values.delete(key);
      else lines.push(line);
      bytes += line.length;
    }
    return Buffer.concat(lines);
  }

  #write(values: Map<string, string>): void {
    this.#added = 0;
    const content = this.#contentOf(values);
    this.#stored = values.size;
    const draft = `${this.#file}.${randomBytes(8).toString("hex")}.tmp`;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      const head = Buffer.from(`${digestOf(this.#purpose, content)}\n`);
      writeFileSync(draft, Buffer.concat([head, content]), { flag: "wx", mode: 0o600 });
      renameSync(draft, this.#file);
    } catch {
      // A cache that cannot be written is none: everything else goes on without it.
      discard(draft);
    }
  }
}

/** JSON text has neither a line feed nor a tab in it. */
function parse(file: Buffer | undefined, purpose: string): Map<string, string> {
  const values = new Map<string, string>();
  if (file === undefined) return values;
  const begin = file.indexOf("\n") + 1;
  const content = file.subarray(begin);
  if (file.toString("latin1", 0, begin - 1) !== digestOf(purpose, content)) return values;
  for (const line of content.toString("utf8").split("\n")) {
    const tab = line.indexOf("\t");
    if (tab < STAMP_LENGTH) continue;
    values.set(line.slice(STAMP_LENGTH, tab), line.slice(0, STAMP_LENGTH) + line.slice(tab + 1));
  }
  return values;
}

function digestOf(purpose: string, content: Buffer): string {
  return createHash("sha256").update(purpose).update("\n").update(content).digest("hex");
}

/** The content of a regular file of ours, which it marks as used; `undefined` where there is none, or it cannot be read. */
function readWhole(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, READ_ONLY);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    const content = readFileSync(descriptor);
    touch(descriptor);
    return content;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Files that were not used are the first to go. */
function touch(descriptor: number): void {
  const now = new Date();
  try {
    futimesSync(descriptor, now, now);
  } catch {
    // Of a folder that is only read.
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // What could not be written cannot be removed, either.
  }
}

function pathOf(key: string): string {
  try {
    return String(JSON.parse(key));
  } catch {
    return "";
  }
}
