/**
 * Maximum extra work per file, in bytes. A crafted history takes longer than its size on disk: it unpacks to a thousand times its size,
 * or has millions of empty records.
 */
export const FILE_EXTRA = 32 * 1024 * 1024;

/** The next list continues with the remaining files. */
const LIST_EXTRA = 4 * FILE_EXTRA;

/** Bytes that one record costs at least; an average of a quarter of it causes no extra work. */
const BYTES_A_RECORD = 512;
const TIMES_ITS_BYTES = 4;

/** Maximum number of records that are read of one document: reading it again starts at its beginning. */
export const DOCUMENT_RECORDS = 50_000;

/** Ratio up to which a packed file causes no extra work. */
export const TIMES_PACKED = 64;

const KIB = 1024;

/** Remaining extra work of a list, in KiB: all its threads share this memory. */
export type ExtraWork = Int32Array;

/** @param threads number of readers: each has work for one file */
export function extraWorkOfList(threads: number): ExtraWork {
  const most = Math.max(LIST_EXTRA, threads * FILE_EXTRA);
  return new Int32Array(new SharedArrayBuffer(4)).fill(most / KIB);
}

export const LIST_SPENT =
  "crafted or very large files took the work that one list does for such files. List again to continue, or move them out of the folder.";

export class ReadingBudget {
  readonly #most: number;
  #extra = 0;

  constructor(most: number = FILE_EXTRA) {
    this.#most = most;
  }

  /** True if the file itself exceeds the limit: another reading has the same result. */
  get isExceeded(): boolean {
    return this.#extra > this.#most;
  }

  /**
   * @param extra bytes so far; negative if long records compensate for short ones
   * @param ofList remaining work of the list. Default is no limit
   * @returns true if the reading may continue
   */
  allows(extra: number, ofList?: ExtraWork): boolean {
    const added = extra - this.#extra;
    if (added <= 0) return !this.isExceeded;
    this.#extra = extra;
    if (this.isExceeded) return false;
    return ofList === undefined || takeFrom(ofList, added);
  }

  static ofRecords(records: number, bytes: number): number {
    return records * BYTES_A_RECORD - bytes * (TIMES_ITS_BYTES - 1);
  }

  /** @param packedSize size on disk, in bytes */
  static ofUnpacking(bytes: number, packedSize: number): number {
    return bytes - packedSize * TIMES_PACKED;
  }
}

function takeFrom(ofList: ExtraWork, bytes: number): boolean {
  const work = Math.ceil(bytes / KIB);
  // A used-up value stays unchanged, so that it never wraps.
  return Atomics.load(ofList, 0) > 0 && Atomics.sub(ofList, 0, work) >= work;
}
