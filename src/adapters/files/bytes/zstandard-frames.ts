/**
 * Reads the headers of Zstandard frames for the unpacked size of each part, before it is unpacked: the decoder has no limit, and moves
 * the complete window for each block.
 * @see https://www.rfc-editor.org/rfc/rfc8878
 */

/** `zstd` also refuses larger windows by default. */
const LARGEST_WINDOW = 128 * 1024 * 1024;

/** Maximum of the format. */
const LARGEST_BLOCK = 128 * 1024;

/** Approximate unpacked size of a piece. There is no pause within it. */
const PIECE = 1024 * 1024;

/** Window bytes whose move takes as long as one unpacked byte. */
const MOVED_A_BYTE = 32;

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a5;
const LONGEST_HEADER = 18;
const BLOCK_HEADER = 3;
const CHECKSUM = 4;
const RLE = 1;
const RESERVED = 3;

export interface PackedPiece {
  readonly bytes: Uint8Array;
  /** Maximum unpacked bytes, plus other work in bytes of equal cost. */
  readonly work: number;
}

type Expected = "frame" | "block";

export class ZstandardFrames {
  #expected: Expected = "frame";
  /** Bytes before the next header. */
  #skip = 0;
  /** Bytes of an incomplete header. */
  readonly #header = new Uint8Array(LONGEST_HEADER);
  #length = 0;
  #window = 0;
  #hasChecksum = false;

  /** @throws RangeError for an invalid frame */
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
      // A piece ends before its limit, and before each frame: the decoder is recursive over frames.
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

  #begins = false;

  /** @returns the work; 0 for an incomplete header */
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
    if (type === RESERVED || size > LARGEST_BLOCK)
      throw new RangeError("It holds a block of an unsupported type.");
    this.#skip = type === RLE ? 1 : size;
    this.#begins = false;
    if (isLast) {
      this.#expected = "frame";
      this.#skip += this.#hasChecksum ? CHECKSUM : 0;
    }
    return this.#moved + (type <= RLE ? size : LARGEST_BLOCK);
  }

  get #moved(): number {
    return 1 + Math.floor(this.#window / MOVED_A_BYTE);
  }

  /** Little-endian. */
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
