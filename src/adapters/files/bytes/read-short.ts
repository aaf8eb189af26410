import { closeSync } from "node:fs";
import type { JsonObject } from "../../../domain/json/json.js";
import { openContained, readableOrNone } from "./contained-files.js";
import { lineIn, readPart } from "./line.js";
import { decodeText, parseLine, parseRecord } from "./parse-line.js";
import { readElements } from "./read-elements.js";

/** Returns the first bytes of a file, up to a length; `undefined` if no such file may be read. For threads. */
export function readBeginning(root: string, file: string, most: number): Uint8Array | undefined {
  const opened = readableOrNone(() => openContained(root, file));
  if (opened === undefined) return undefined;
  const { descriptor, identity } = opened;
  try {
    const length = Math.min(most, identity.size);
    return readPart(descriptor, 0, length, new Uint8Array(length)).bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** The same as text. */
export function readShort(root: string, file: string, most: number): string | undefined {
  const bytes = readBeginning(root, file, most);
  return bytes && decodeText(bytes, 0, bytes.length);
}

/** Returns the record in a small file, or in a longer one with its long strings cut; an empty record for other content. */
export function shortRecord(root: string, file: string, most: number): JsonObject {
  const bytes = readBeginning(root, file, most);
  return bytes === undefined ? {} : (parseRecord(lineIn(bytes)).record ?? {});
}

const BEGINNING = 16 * 1024;

/**
 * Returns the first record of a document, or of a file of lines: its first line is a document, too. `undefined` if the first 16 KiB
 * contain no readable record.
 *
 * @param member whose array holds the records
 */
export function* firstRecord(
  root: string,
  file: string,
  member: string,
): Generator<void, JsonObject | undefined> {
  const opened = readableOrNone(() => openContained(root, file));
  if (opened === undefined) return undefined;
  const { descriptor, identity } = opened;
  let first: JsonObject | undefined;
  try {
    const range = { to: Math.min(BEGINNING, identity.size), member };
    yield* readElements(descriptor, range, (line) => {
      if (line.number === 1) first = parseLine(line).record;
    });
  } finally {
    closeSync(descriptor);
  }
  return first;
}
