import { closeSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { SourceUnavailableError } from "../../application/errors.js";
import { type JsonObject, textField } from "../../domain/json.js";
import { openContained, statEntry } from "../jsonl/contained-files.js";
import { type FileIdentity, identify, isSameFile } from "../jsonl/file-identity.js";
import { parseLine } from "../jsonl/parse-line.js";
import { readElements } from "../jsonl/read-elements.js";

/** The member of a session's object that holds its messages. */
export const MESSAGES = "messages";

/** How much of a file is read for its head. */
const HEAD_BYTES = 16 * 1024;
const LONGEST_ID = 200;

/** How many files' ids are cached. */
const known = new LRUCache<string, { readonly identity: FileIdentity; readonly id: string }>({ max: 20_000 });

/**
 * The id that a session's file names as its own; `undefined` where it names none. It stays the same while the file is the same one,
 * however much is added.
 */
export function* sessionIdIn(root: string, file: string): Generator<void, string | undefined> {
  try {
    const stats = statEntry(root, file);
    if (stats === undefined) return undefined;
    const identity = identify(stats);
    const before = known.get(file);
    if (before !== undefined && isSameFile(before.identity, identity)) return before.id;
    const id = textField((yield* readHead(root, file)) ?? {}, "sessionId");
    if (id === undefined || id.length > LONGEST_ID) return undefined;
    known.set(file, { identity, id });
    return id;
  } catch (error) {
    if (error instanceof SourceUnavailableError) return undefined;
    throw error;
  }
}

/** What a file says of its session in front of the messages, in both layouts: a first line is a document, too. */
export function* readHead(root: string, file: string): Generator<void, JsonObject | undefined> {
  const opened = openContained(root, file);
  if (opened === undefined) return undefined;
  const { descriptor, identity } = opened;
  let head: JsonObject | undefined;
  try {
    const range = { to: Math.min(HEAD_BYTES, identity.size), member: MESSAGES };
    yield* readElements(descriptor, range, (line) => {
      if (line.number === 1) head = parseLine(line).record;
    });
  } finally {
    closeSync(descriptor);
  }
  return head;
}
