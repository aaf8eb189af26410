import { readSync } from "node:fs";

const HEADER = 32;
const FRAME_HEADER = 24;

/** The last bit gives the byte order of the checksums. */
const MAGIC = 0x377f0682;
const VERSION = 3_007_000;

const READ_AT_ONCE = 1024 * 1024;

type Checksum = readonly [number, number];

/**
 * Newest committed version of each page in a write-ahead log. Each frame repeats the log's salt: after a restart, old frames follow the
 * valid ones. A transaction is committed by its last frame, which states the size of the database.
 * @see https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
export class CommittedFrames {
  /** Changes when the log restarts. */
  readonly header: Buffer;
  readonly pageSize: number;
  readonly pages: number;
  readonly #places: ReadonlyMap<number, number>;
  readonly #end: number;
  readonly #checksum: Checksum;

  private constructor(
    header: Buffer,
    pages: number,
    places: ReadonlyMap<number, number>,
    end: number,
    checksum: Checksum,
  ) {
    this.header = header;
    this.pageSize = header.readUInt32BE(8);
    this.pages = pages;
    this.#places = places;
    this.#end = end;
    this.#checksum = checksum;
  }

  /**
   * Returns `undefined` if nothing is committed.
   * @param before earlier content: in the same log, reading continues from there
   */
  static read(descriptor: number, size: number, before?: CommittedFrames): CommittedFrames | undefined {
    const header = headerOf(descriptor);
    if (header === undefined) return undefined;
    if (before?.header.equals(header) && size >= before.#end) return before.#readOn(descriptor, size);
    const start = checksumOf(header.subarray(0, 24), [0, 0], isLittleEndian(header));
    if (start[0] !== header.readUInt32BE(24) || start[1] !== header.readUInt32BE(28)) return undefined;
    const read = new CommittedFrames(header, 0, new Map(), HEADER, start).#readOn(descriptor, size);
    return read.pages === 0 ? undefined : read;
  }

  /** `undefined` if the database file has the newest version. */
  placeOf(page: number): number | undefined {
    return this.#places.get(page);
  }

  isIn(descriptor: number): boolean {
    return headerOf(descriptor)?.equals(this.header) === true;
  }

  #readOn(descriptor: number, previous: number): CommittedFrames {
    const { header, pageSize } = this;
    const size = FRAME_HEADER + pageSize;
    const frames = Math.floor(Math.min(READ_AT_ONCE, previous - this.#end) / size);
    if (previous - this.#end < size) return this;
    const memory = Buffer.allocUnsafe(Math.max(1, frames) * size);
    const salt = header.subarray(16, 24);
    const added: [page: number, place: number][] = [];
    let places: Map<number, number> | undefined;
    let { pages } = this;
    let [end, checksum, running] = [this.#end, this.#checksum, this.#checksum];
    for (let at = this.#end; ; at += memory.length) {
      const length = readSync(descriptor, memory, 0, memory.length, at);
      for (let from = 0; from + size <= length; from += size) {
        const frame = memory.subarray(from, from + size);
        running = checksumOf(frame.subarray(0, 8), running, isLittleEndian(header));
        running = checksumOf(frame.subarray(FRAME_HEADER), running, isLittleEndian(header));
        const isTrue =
          salt.equals(frame.subarray(8, 16)) &&
          frame.readUInt32BE(16) === running[0] &&
          frame.readUInt32BE(20) === running[1] &&
          frame.readUInt32BE(0) > 0;
        if (!isTrue) return this.#with(pages, places, end, checksum);
        added.push([frame.readUInt32BE(0), at + from + FRAME_HEADER]);
        const committed = frame.readUInt32BE(4);
        if (committed === 0) continue;
        places ??= new Map(this.#places);
        for (const [page, place] of added.splice(0)) places.set(page, place);
        pages = committed;
        end = at + from + size;
        checksum = running;
      }
      if (length < memory.length) return this.#with(pages, places, end, checksum);
    }
  }

  #with(
    pages: number,
    places: ReadonlyMap<number, number> | undefined,
    end: number,
    checksum: Checksum,
  ): CommittedFrames {
    return places === undefined ? this : new CommittedFrames(this.header, pages, places, end, checksum);
  }
}

function headerOf(descriptor: number): Buffer | undefined {
  const header = Buffer.alloc(HEADER);
  if (readSync(descriptor, header, 0, HEADER, 0) < HEADER) return undefined;
  const isLog = (header.readUInt32BE(0) & ~1) === MAGIC && header.readUInt32BE(4) === VERSION;
  return isLog && isPageSize(header.readUInt32BE(8)) ? header : undefined;
}

function isLittleEndian(header: Buffer): boolean {
  return (header[3]! & 1) === 0;
}

export function isPageSize(size: number): boolean {
  return size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;
}

function checksumOf(bytes: Buffer, [first, second]: Checksum, littleEndian: boolean): Checksum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + words.getUint32(at, littleEndian) + b) >>> 0;
    b = (b + words.getUint32(at + 4, littleEndian) + a) >>> 0;
  }
  return [a, b];
}
