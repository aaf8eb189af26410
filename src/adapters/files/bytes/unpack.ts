import { readSync } from "node:fs";
import * as zlib from "node:zlib";
import { Decompress } from "fzstd";
import { SourceUnavailableError } from "../../../application/errors.js";
import { type PackedPiece, ZstandardFrames } from "./zstandard-frames.js";

const PACKED = ".zst";

export function isPacked(file: string): boolean {
  return file.endsWith(PACKED);
}

export function unpackedName(file: string): string {
  return isPacked(file) ? file.slice(0, -PACKED.length) : file;
}

const CHUNK = 64 * 1024;

export interface UnpackingOptions {
  /** Called before each piece: true stops the reading. Default is to read everything. */
  readonly isEnough?: () => boolean;
  /** Called before each piece with its extra work, in bytes of equal cost. It throws if that is too much. */
  readonly work?: ((bytes: number) => void) | undefined;
}

/**
 * A small file may unpack to any size: the caller sets a limit. Pure JavaScript, because Node's Zstandard unpacks in one piece, or on the
 * event loop, and is not in every version.
 * @param name file name for the error
 * @param onBytes receives bytes that are valid until the next piece
 * @throws SourceUnavailableError for a damaged file
 */
export function* unpack(
  { descriptor, name }: { readonly descriptor: number; readonly name: string },
  onBytes: (bytes: Uint8Array) => void,
  { isEnough = () => false, work }: UnpackingOptions = {},
): Generator<void, void> {
  const chunk = new Uint8Array(CHUNK);
  const frames = new ZstandardFrames();
  let unpacked = 0;
  const unpacking = new Decompress((bytes) => {
    unpacked += bytes.length;
    onBytes(bytes);
  });
  const push = (bytes: Uint8Array, isLast: boolean) => {
    try {
      // A copy: the decompressor retains its input.
      unpacking.push(bytes.slice(), isLast);
    } catch (error) {
      if (error instanceof SourceUnavailableError) throw error;
      throw damaged(name, error);
    }
  };
  for (let at = 0; ; ) {
    const read = readSync(descriptor, chunk, 0, CHUNK, at);
    at += read;
    const pieces = frames.pieces(chunk.subarray(0, read));
    for (;;) {
      const piece = nextOf(pieces, name);
      if (piece === undefined) break;
      if (isEnough()) return;
      unpacked = 0;
      push(piece.bytes, false);
      work?.(Math.max(0, piece.work - unpacked));
      yield;
    }
    if (read === 0) return push(chunk.subarray(0, 0), true);
  }
}

function nextOf(pieces: Generator<PackedPiece, void>, name: string): PackedPiece | undefined {
  try {
    return pieces.next().value ?? undefined;
  } catch (error) {
    throw damaged(name, error);
  }
}

function damaged(name: string, cause: unknown): SourceUnavailableError {
  return new SourceUnavailableError(`${name} cannot be unpacked: it is damaged.`, { cause });
}

type UnpackAtOnce = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;

/**
 * Several frames may follow one another.
 * @param size maximum number of unpacked bytes
 * @throws Error for damaged or larger content
 */
export function unpackedZstandard(packed: Uint8Array, size: number): Buffer {
  // Not in every version of Node.
  const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: UnpackAtOnce };
  if (zstdDecompressSync !== undefined)
    return zstdDecompressSync(packed, { maxOutputLength: Math.max(1, size) });
  const output = Buffer.alloc(size);
  let at = 0;
  const unpacking = new Decompress((bytes) => {
    if (at + bytes.length > size) throw new RangeError(`It holds more than ${size} bytes.`);
    output.set(bytes, at);
    at += bytes.length;
  });
  unpacking.push(packed, true);
  return output.subarray(0, at);
}
