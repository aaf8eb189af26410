import { ByteReader, joined } from "./byte-parts.js";
import { ascii } from "./image-kind.js";

const EXTENSION = 0x21;
const PICTURE = 0x2c;
const TRAILER = 0x3b;
const CONTROL = 0xf9;
const APPLICATION = 0xff;

/** GIF89a: blocks. Removes comments, texts, and application data except the repeat count. Nothing after the end is retained. */
export function cleanGif(bytes: Uint8Array): Uint8Array | undefined {
  const reader = new ByteReader(bytes);
  if (!reader.has(13)) return undefined;
  const header = reader.take(13);
  if (!reader.has(tableSize(header[10]!))) return undefined;
  const kept = [header, reader.take(tableSize(header[10]!))];
  let hasPicture = false;
  while (reader.has(1)) {
    const start = reader.at;
    const [kind] = reader.take(1);
    if (kind === TRAILER) return hasPicture ? joined([...kept, bytes.subarray(start, start + 1)]) : undefined;
    let isKept = true;
    if (kind === PICTURE) {
      if (!reader.has(9)) return undefined;
      const descriptor = reader.take(9);
      const table = tableSize(descriptor[8]!);
      if (!reader.has(table + 1)) return undefined;
      reader.take(table + 1);
      hasPicture = true;
    } else if (kind === EXTENSION && reader.has(1)) {
      const [label] = reader.take(1);
      isKept = label === CONTROL || (label === APPLICATION && isLoop(bytes, reader.at));
    } else return undefined;
    if (!skipBlocks(reader)) return undefined;
    if (isKept) kept.push(bytes.subarray(start, reader.at));
  }
  return undefined;
}

/** Returns the length of a color table, in bytes. */
function tableSize(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** A block of eleven bytes, one of three, and the end: no text fits in. */
function isLoop(bytes: Uint8Array, at: number): boolean {
  return ascii(bytes, at, at + 14) === "\x0bNETSCAPE2.0\x03\x01" && bytes[at + 16] === 0;
}

/** Data in blocks of a length each, up to an empty one. */
function skipBlocks(reader: ByteReader): boolean {
  while (reader.has(1)) {
    const [size] = reader.take(1);
    if (size === 0) return true;
    if (!reader.has(size!)) return false;
    reader.take(size!);
  }
  return false;
}
