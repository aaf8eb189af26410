/**
 * Reading a history takes about as long as it has bytes on the disk. A crafted one takes more: it unpacks to a thousand times its size, or
 * has millions of empty records. What it takes more is extra work, in bytes. One file causes so much of it at most.
 */
export const FILE_EXTRA = 32 * 1024 * 1024;

/** The files of one list cause so much together: some crafted ones at a time. The next list goes on with the others. */
const LIST_EXTRA = 4 * FILE_EXTRA;

/** A record costs as much as so many bytes, however short it is. Records of a quarter of that on average are no extra work. */
const BYTES_A_RECORD = 512;
const TIMES_ITS_BYTES = 4;

/** How many times its size a packed file unpacks to without extra work. */
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

  /** Whether the file itself exceeds the bound: reading it again comes to the same end. */
  get isExceeded(): boolean {
    return this.#extra > this.#most;
  }

  /**
   * @param extra the extra work so far, in bytes; below zero where long records make up for short ones
   * @param ofList what is left for the list that the file is read for. Default is as much as the file takes
   * @returns whether reading goes on
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
