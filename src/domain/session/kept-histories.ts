/** A file of histories. */
export interface HistoryFile {
  readonly path: string;
  /** The sessions in it, where it is packed and holds several. */
  readonly members?: readonly string[] | undefined;
}

/** The files that histories consist of: neither settings nor credentials. */
export interface HistoryFiles {
  readonly files: readonly HistoryFile[];
  /** What could not be listed. */
  readonly problems: readonly FileProblem[];
}

export interface FileProblem {
  readonly file: string;
  readonly reason: string;
}

/** A folder of histories that is to be kept. */
export interface KeptFolder extends HistoryFiles {
  /** What its copy is called after. */
  readonly kind: string;
  readonly root: string;
  /** The folders in it that were named, from the root on. Default is that all of it was. */
  readonly within?: readonly string[] | undefined;
}

/** How much of what is to be copied is. */
export interface KeepProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** What a copying came to. Files are named from the source's folder on. */
export interface KeepReport {
  readonly to: string;
  readonly sources: readonly KeptSource[];
}

export interface KeptSource {
  readonly kind: string;
  readonly from: string;
  /** Where its copy lies: it opens as the source does. */
  readonly to: string;
  readonly copied: FileCounts;
  readonly unchanged: FileCounts;
  readonly kept: readonly KeptAsItWas[];
  readonly failed: readonly FileProblem[];
}

export interface FileCounts {
  readonly files: number;
  readonly bytes: number;
}

/**
 * A file of which the copies hold what the source does not hold any more.
 *
 * - `deleted`: it is gone. The copy stays.
 * - `cut`: it ends before the copy does. The copy stays.
 * - `replaced`: it is another one. It was copied; the copy of before lies at `earlier`, from the folder of the copies on.
 */
export interface KeptAsItWas {
  readonly file: string;
  readonly outcome: "deleted" | "cut" | "replaced";
  readonly bytes: number;
  readonly earlier?: string | undefined;
}
