import { readSync } from "node:fs";
import * as zlib from "node:zlib";
import { Decompress } from "fzstd";
import { SourceUnavailableError } from "../../../application/errors.js";

/** Files that are packed with Zstandard, by their names. */
const PACKED = ".zst";

export function isPacked(file: string): boolean {
  return file.endsWith(PACKED);
}

/** The name of what is packed in a file; a plain file's own. */
export function unpackedName(file: string): string {
  return isPacked(file) ? file.slice(0, -PACKED.length) : file;
}

/** How much packed data is unpacked between two pauses. */
const CHUNK = 64 * 1024;

/** A small file may unpack to any size: more than this is refused. */
const MOST_BYTES = 2 ** 32;

/**
 * Unpacks an open file piece by piece, whatever its size. Pure JavaScript: Node's own Zstandard unpacks in one piece, or on the event
 * loop, and is not in every version.
 *
 * @param name of the file, for the error
 * @param onBytes gets what was unpacked; it is only valid until the next piece comes
 * @param isEnough asked before each piece: whether the rest is not wanted
 * @throws SourceUnavailableError where it is damaged or too large
 */
export function* unpack(
  { descriptor, name }: { readonly descriptor: number; readonly name: string },
  onBytes: (bytes: Uint8Array) => void,
  isEnough: () => boolean = () => false,
): Generator<void, void> {
  let size = 0;
  const unpacking = new Decompress((bytes) => {
    size += bytes.length;
    if (size > MOST_BYTES) throw new SourceUnavailableError(`${name} is larger than 4 GiB unpacked.`);
    onBytes(bytes);
  });
  const chunk = new Uint8Array(CHUNK);
  for (let at = 0; !isEnough(); ) {
    const read = readSync(descriptor, chunk, 0, CHUNK, at);
    at += read;
    try {
      // What was given is kept until it is unpacked, so it is a copy.
      unpacking.push(chunk.slice(0, read), read === 0);
    } catch (error) {
      if (error instanceof SourceUnavailableError) throw error;
      throw new SourceUnavailableError(`${name} cannot be unpacked: it is damaged.`, { cause: error });
    }
    if (read === 0) return;
    yield;
  }
}

type UnpackAtOnce = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;

/**
 * Unpacks a piece of memory of which it is known how much it holds. It may be several frames, one after another.
 *
 * @param size how many bytes there are unpacked, at most
 * @throws Error where it is damaged, or holds more
 */
export function unpackedZstandard(packed: Uint8Array, size: number): Buffer {
  // Not in every version of Node.
  const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: UnpackAtOnce };
  if (zstdDecompressSync !== undefined)
    return zstdDecompressSync(packed, { maxOutputLength: Math.max(1, size) });
  const whole = Buffer.alloc(size);
  let at = 0;
  const unpacking = new Decompress((bytes) => {
    if (at + bytes.length > size) throw new RangeError(`It holds more than ${size} bytes.`);
    whole.set(bytes, at);
    at += bytes.length;
  });
  unpacking.push(packed, true);
  return whole.subarray(0, at);
}
