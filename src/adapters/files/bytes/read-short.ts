import { closeSync } from "node:fs";
import type { JsonObject } from "../../../domain/json/json.js";
import { openContained, readableOrNone } from "./contained-files.js";
import { lineIn, readPart } from "./line.js";
import { decodeText, parseLine, parseRecord } from "./parse-line.js";
import { readElements } from "./read-elements.js";

/** `undefined` if the file is unreadable. For threads. */
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

export function readShort(root: string, file: string, most: number): string | undefined {
  const bytes = readBeginning(root, file, most);
  return bytes && decodeText(bytes, 0, bytes.length);
}

/** Cuts the long strings of a longer file; returns an empty record for other content. */
export function shortRecord(root: string, file: string, most: number): JsonObject {
  const bytes = readBeginning(root, file, most);
  return bytes === undefined ? {} : (parseRecord(lineIn(bytes)).record ?? {});
}

const BEGINNING = 16 * 1024;

/**
 * The first line of a file of lines is a document, too. `undefined` if the first 16 KiB contain no readable record.
 * @param member member with the array of records
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
