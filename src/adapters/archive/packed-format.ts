/**
 * Packed form of an archive's lines: gzip of blocks that each represent some bytes of the lines (UTF-8, a line break after each). A block
 * is a sequence of new bytes and of copies of earlier bytes, in the same block or up to {@link WINDOW} bytes earlier. Gzip alone has a
 * window of 32 kB, and a trace repeats its messages many megabytes apart. The first byte is {@link PACKING}. A block starts with five
 * lengths as varints (seven bits a byte, the lowest first). The first is the number of represented bytes; the others are the
 * lengths of four lists:
 * - the number of new bytes before each copy;
 * - twice the length of each copy, plus one if the copy is quoted: a backslash precedes each copied quotation mark and backslash, as for
 *   JSON text in JSON;
 * - the distance back to the start of each copy (as the difference to the end of the previous one, zigzag);
 * - the new bytes. Those after the last copy end the block.
 */

export const PACKING = 2;

/** Maximum distance of a copy, in bytes. */
export const WINDOW = 48 * 1024 * 1024;

/** Maximum number of bytes that a block represents. */
export const BLOCK = 4 * 1024 * 1024;

export const BACKSLASH = 0x5c;

export function isQuotedByOne(byte: number): boolean {
  return byte === 0x22 || byte === BACKSLASH;
}
