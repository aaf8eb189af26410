import { createHash } from "node:crypto";
import type { CachedEdits, EditsOfSession } from "../../application/ports/cached-edits.js";
import { runInSlices } from "../../application/threads/slices.js";
import type { RecordedEdit } from "../../domain/changes/recorded-edits.js";
import { isJsonObject } from "../../domain/json/json.js";
import { keyText } from "../../domain/session/session-key.js";
import {
  addLines,
  type CachedLines,
  lineOf,
  readCacheFile,
  STAMP_LENGTH,
  valueIn,
  writeCacheFile,
} from "../files/cache/cache-file.js";
import { cacheFileOf } from "../files/cache/cache-folder.js";

const MOST_BYTES = 32 * 1024 * 1024;

/**
 * One file for each set of names. The original of an edited file is stored once, independent of the number of edits and sessions that
 * refer to it.
 * @param owner identifies the sessions' source: the location from which the histories were opened
 */
export function cachedEditsIn(dir: string, owner: string): CachedEdits {
  const placeOf = (names: readonly string[]) => {
    const purpose = JSON.stringify(["edits", owner, names]);
    return { purpose, file: cacheFileOf(dir, purpose) };
  };
  const read = (names: readonly string[]): CachedLines => {
    const { purpose, file } = placeOf(names);
    return readCacheFile(file, purpose);
  };
  return {
    async of(names) {
      const lines = read(names);
      const originals = new Map<string, string | undefined>();
      const originalOf = (digest: string) => {
        if (!originals.has(digest)) originals.set(digest, originalIn(lines, digest));
        return originals.get(digest);
      };
      return (session) => {
        const line = lines.get(JSON.stringify(keyText(session.key)));
        const value = line && valueIn(line, digestOf(session.identity));
        return areCachedEdits(value) ? unpacked(value, originalOf) : undefined;
      };
    },
    async keep(names, sessions) {
      const { purpose, file } = placeOf(names);
      const lines = read(names);
      await runInSlices(addSessions(lines, sessions));
      await runInSlices(writeCacheFile(file, purpose, lines, MOST_BYTES));
    },
  };
}

/** `original`: digest of the stored file before the edit; `null` if that file was not recorded. */
type CachedEdit = readonly [edit: RecordedEdit, original: string | null];

function* addSessions(lines: CachedLines, sessions: readonly EditsOfSession[]): Generator<void, void> {
  const add = (line: string) => addLines(lines, Buffer.from(line));
  const added = new Set<string>();
  const isReplaced = sessions.some((session) => lines.has(JSON.stringify(keyText(session.key))));
  for (const { edits, ...session } of sessions) {
    const cached = edits.map((one): CachedEdit => {
      const { original, ...edit } = one.edit;
      if (original === undefined) return [one, null];
      const digest = digestOf(original);
      if (!added.has(digest)) add(lineOf(nameOfOriginal(digest), digest, original));
      added.add(digest);
      return [{ ...one, edit }, digest];
    });
    add(lineOf(keyText(session.key), digestOf(session.identity), cached));
    yield;
  }
  if (isReplaced) yield* dropUnused(lines);
}

function* dropUnused(lines: CachedLines): Generator<void, void> {
  const unused = new Set([...lines.keys()].filter(isOriginal));
  for (const [key, line] of lines) {
    if (isOriginal(key)) continue;
    const cached = valueIn(line, stampIn(line));
    if (areCachedEdits(cached))
      for (const [, digest] of cached) unused.delete(JSON.stringify(nameOfOriginal(`${digest}`)));
    yield;
  }
  for (const key of unused) lines.delete(key);
}

/** @returns `undefined` if one of the texts is missing: the session is read again */
function unpacked(
  cached: readonly CachedEdit[],
  originalOf: (digest: string) => string | undefined,
): readonly RecordedEdit[] | undefined {
  const edits: RecordedEdit[] = [];
  for (const [one, digest] of cached) {
    const original = digest === null ? undefined : originalOf(digest);
    if (digest !== null && original === undefined) return undefined;
    edits.push(original === undefined ? one : { ...one, edit: { ...one.edit, original } });
  }
  return edits;
}

function originalIn(lines: CachedLines, digest: string): string | undefined {
  const line = lines.get(JSON.stringify(nameOfOriginal(digest)));
  const text = line && valueIn(line, digest);
  return typeof text === "string" ? text : undefined;
}

const ORIGINAL = "original ";

/** No session has such a name: its name is an array in JSON. */
function nameOfOriginal(digest: string): string {
  return ORIGINAL + digest;
}

function isOriginal(key: string): boolean {
  return key.startsWith(`"${ORIGINAL}`);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, STAMP_LENGTH);
}

function stampIn(line: Buffer): string {
  return line.toString("latin1", 0, STAMP_LENGTH);
}

/** A shallow check: the file's digest protects the data of this build. */
function areCachedEdits(value: unknown): value is readonly CachedEdit[] {
  return (
    Array.isArray(value) &&
    value.every((one) => Array.isArray(one) && isJsonObject(one[0]) && isJsonObject(one[0].edit))
  );
}
