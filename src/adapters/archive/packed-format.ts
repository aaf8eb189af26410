/**
 * How the lines of an archive are packed: as gzip of blocks, of which each stands for some bytes of the lines (UTF-8, a line break behind
 * each). A block is a sequence of bytes that are new and of copies of bytes that came before, in the same block or up to {@link WINDOW}
 * bytes earlier: a trace and its messages say the same texts many megabytes apart, where gzip alone does not see them (its window is 32 kB).
 *
 * The first byte is {@link PACKING}. A block is five lengths, each as a varint (seven bits a byte, the lowest first): of what it stands for,
 * and of four lists that follow: how many new bytes lie before each copy, twice how long each copy is, how far back it begins (as the
 * difference to where the one before ended, zigzag), and the new bytes. What is left of them behind the last copy ends the block.
 *
 * To twice its length one is added where a copy is quoted: a backslash is put before each quotation mark and backslash that is copied. So an
 * input or a result stands in JSON that is a text of JSON.
 */

/** The version of this form: readers refuse a higher one. */
export const PACKING = 2;

/** How far back a copy begins at most, in bytes. */
export const WINDOW = 48 * 1024 * 1024;

/** How many bytes a block stands for at most. */
export const BLOCK = 4 * 1024 * 1024;

export const BACKSLASH = 0x5c;

/** What a text of JSON has a backslash before that JSON has not. */
export function isQuotedByOne(byte: number): boolean {
  return byte === 0x22 || byte === BACKSLASH;
}
