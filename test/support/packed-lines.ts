import { gzipSync } from "node:zlib";
import { escapeBytes, PACKED_BEGIN, PACKED_END } from "../../src/adapters/archive/packed-text.js";

/** A packed archive of a few hundred bytes. Each of its blocks is 4 MiB of empty lines. */
export function packedLines(blocks: number): Buffer {
  const size = 4 * 1024 * 1024;
  const varint = (value: number): number[] =>
    value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))];
  const copies = varint(2 * (size - 1));
  // One new byte, and a copy of it up to the block's end.
  const block = [...varint(size), 1, copies.length, 1, 1, 1, ...copies, 2, 0x0a];
  return gzipSync(Buffer.from([2, ...Array<number[]>(blocks).fill(block).flat()]), { level: 9 });
}

export function pageWith(page: Buffer, packed: Uint8Array): Buffer {
  const begin = page.indexOf(PACKED_BEGIN) + PACKED_BEGIN.length;
  const end = page.indexOf(PACKED_END, begin);
  return Buffer.concat([page.subarray(0, begin), escapeBytes(packed), page.subarray(end)]);
}
