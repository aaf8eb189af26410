/**
 * Reading a history takes about as long as it has bytes on the disk. A crafted one takes more: it unpacks to a thousand times its size, or
 * has millions of empty records. What it takes more is extra work, in bytes. One file causes so much of it at most.
 */
export const FILE_EXTRA = 32 * 1024 * 1024;

/** Maximum extra work of all files in one list: some crafted files at a time. The next list continues with the others. */
const LIST_EXTRA = 4 * FILE_EXTRA;

/** Cost of a record in bytes, however short it is. Records of a quarter of that on average cause no extra work. */
const BYTES_A_RECORD = 512;
const TIMES_ITS_BYTES = 4;

/** Maximum number of records that are read of one document: reading it again starts at its beginning. */
export const DOCUMENT_RECORDS = 50_000;

/** Ratio up to which a packed file unpacks without extra work. */
export const TIMES_PACKED = 64;

const KIB = 1024;

/** The extra work that is left for a list, in KiB: memory that all its threads share. */
export type ExtraWork = Int32Array;

/** @param threads how many read at the same time: there is work for one file in each */
export function extraWorkOfList(threads: number): ExtraWork {
  const most = Math.max(LIST_EXTRA, threads * FILE_EXTRA);
  return new Int32Array(new SharedArrayBuffer(4)).fill(most / KIB);
}

/** Why a file is left for the next list. */
export const LIST_SPENT =
  "crafted or very large files took the work that one list does for such files. List again to go on, or move them out of the folder.";

/** Counts the extra work of one file. */
export class ReadingBudget {
  readonly #most: number;
  #extra = 0;

  /** @param most default is {@link FILE_EXTRA} */
  constructor(most: number = FILE_EXTRA) {
    this.#most = most;
  }

  /** True if the file itself exceeds the bound: reading it again has the same result. */
  get isExceeded(): boolean {
    return this.#extra > this.#most;
  }

  /**
   * @param extra the extra work so far, in bytes; negative if long records compensate for short ones
   * @param ofList remaining extra work of the list that reads the file. Default is as much as the file needs
   * @returns true if reading may continue
   */
  allows(extra: number, ofList?: ExtraWork): boolean {
    const added = extra - this.#extra;
    if (added <= 0) return !this.isExceeded;
    this.#extra = extra;
    if (this.isExceeded) return false;
    return ofList === undefined || takeFrom(ofList, added);
  }

  /** The extra work of records: how many there are, and how long they are together. */
  static ofRecords(records: number, bytes: number): number {
    return records * BYTES_A_RECORD - bytes * (TIMES_ITS_BYTES - 1);
  }

  /** The extra work of unpacking. @param packedSize how many bytes the file has on the disk */
  static ofUnpacking(bytes: number, packedSize: number): number {
    return bytes - packedSize * TIMES_PACKED;
  }
}

function takeFrom(ofList: ExtraWork, bytes: number): boolean {
  const work = Math.ceil(bytes / KIB);
  // It stays at zero once it is used up, so that it never wraps.
  return Atomics.load(ofList, 0) > 0 && Atomics.sub(ofList, 0, work) >= work;
}
