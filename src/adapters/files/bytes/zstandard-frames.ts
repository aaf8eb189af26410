/**
 * Walks over the headers of Zstandard frames, to know how much each part of them unpacks to before it is unpacked: the decoder itself has no
 * bound, and moves all of a frame's window for each block.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8878
 */

/** A frame with a larger window is refused. `zstd` refuses it, too, unless an option allows it. */
const LARGEST_WINDOW = 128 * 1024 * 1024;

/** No block unpacks to more. */
const LARGEST_BLOCK = 128 * 1024;

/** Approximate unpacked size of a piece, which is unpacked without a pause. */
const PIECE = 1024 * 1024;

/** Number of window bytes whose move takes as long as unpacking one byte. */
const MOVED_A_BYTE = 32;

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a5;
const LONGEST_HEADER = 18;
const BLOCK_HEADER = 3;
const CHECKSUM = 4;
const RLE = 1;
const RESERVED = 3;

/** A part of packed bytes. */
export interface PackedPiece {
  readonly bytes: Uint8Array;
  /** Maximum unpacked size in bytes, plus the bytes that take as long as the other work for it. */
  readonly work: number;
}

/** The next header: a frame, or one of its blocks. */
type Expected = "frame" | "block";

export class ZstandardFrames {
  #expected: Expected = "frame";
  /** Number of bytes before the next header. */
  #skip = 0;
  /** The bytes of a header that was begun. */
  readonly #header = new Uint8Array(LONGEST_HEADER);
  #length = 0;
  #window = 0;
  #hasChecksum = false;

  /**
   * Splits a chunk into pieces.
   *
   * @throws RangeError if no valid frame can continue with these bytes
   */
  *pieces(chunk: Uint8Array): Generator<PackedPiece, void> {
    let from = 0;
    let work = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, chunk.length - at);
        this.#skip -= passed;
        at += passed;
        continue;
      }
      this.#header[this.#length++] = chunk[at++]!;
      const added = this.#expected === "frame" ? this.#readFrame() : this.#readBlock();
      if (added === 0) continue;
      // A piece ends in front of what makes it too large, and where a frame begins: the decoder calls itself for each frame.
      const begin = at - this.#length;
      if (begin > from && (work + added > PIECE || this.#begins)) {
        yield { bytes: chunk.subarray(from, begin), work };
        from = begin;
        work = 0;
      }
      work += added;
      this.#length = 0;
    }
    if (from < chunk.length) yield { bytes: chunk.subarray(from), work };
  }

  /** True if the last header is that of a frame. */
  #begins = false;

  /** @returns how much work it is; 0 where more bytes of the header follow */
  #readFrame(): number {
    const header = this.#header;
    if (this.#length < 5) return 0;
    const magic = (header[0]! | (header[1]! << 8) | (header[2]! << 16) | (header[3]! << 24)) >>> 0;
    if (magic >>> 4 === SKIPPABLE) return this.#readSkippable();
    if (magic !== MAGIC) throw new RangeError("It is no frame of Zstandard.");
    const flags = header[4]!;
    const isSingle = (flags & 0x20) !== 0;
    const dictionary = [0, 1, 2, 4][flags & 3]!;
    const sizeField = [isSingle ? 1 : 0, 2, 4, 8][flags >>> 6]!;
    const sizeAt = 5 + (isSingle ? 0 : 1) + dictionary;
    if (this.#length < sizeAt + sizeField) return 0;
    this.#window = isSingle ? this.#sizeAt(sizeAt, sizeField) : windowOf(header[5]!);
    if (!(this.#window <= LARGEST_WINDOW))
      throw new RangeError(`Its window is larger than ${LARGEST_WINDOW} bytes.`);
    this.#hasChecksum = (flags & 4) !== 0;
    this.#expected = "block";
    this.#begins = true;
    return this.#moved;
  }

  #readSkippable(): number {
    if (this.#length < 8) return 0;
    this.#skip = this.#sizeAt(4, 4);
    this.#begins = true;
    return 1;
  }

  #readBlock(): number {
    if (this.#length < BLOCK_HEADER) return 0;
    const bits = this.#sizeAt(0, BLOCK_HEADER);
    const [isLast, type, size] = [(bits & 1) !== 0, (bits >>> 1) & 3, bits >>> 3];
    if (type === RESERVED || size > LARGEST_BLOCK) throw new RangeError("It holds a block of no known sort.");
    this.#skip = type === RLE ? 1 : size;
    this.#begins = false;
    if (isLast) {
      this.#expected = "frame";
      this.#skip += this.#hasChecksum ? CHECKSUM : 0;
    }
    return this.#moved + (type <= RLE ? size : LARGEST_BLOCK);
  }

  /** Work for moving the window. */
  get #moved(): number {
    return 1 + Math.floor(this.#window / MOVED_A_BYTE);
  }

  /** A number of the header, its low bytes first. */
  #sizeAt(at: number, length: number): number {
    let value = 0;
    for (let i = at + length - 1; i >= at; i--) value = value * 256 + this.#header[i]!;
    return value + (length === 2 ? 256 : 0);
  }
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >>> 3));
  return base + (base / 8) * (descriptor & 7);
}
