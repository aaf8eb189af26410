/** A file of histories. */
export interface HistoryFile {
  readonly path: string;
  /** The sessions in it, where it is packed and holds several. */
  readonly members?: readonly string[] | undefined;
}

/** The files that histories consist of: neither settings nor credentials. */
export interface HistoryFiles {
  readonly files: readonly HistoryFile[];
  /** Folders that could not be listed. */
  readonly problems: readonly FileProblem[];
}

interface FileProblem {
  readonly file: string;
  readonly reason: string;
}

/** A folder of histories to copy. */
export interface StoredFolder extends HistoryFiles {
  /** Name of its copy. */
  readonly kind: string;
  readonly root: string;
  /** The folders in it that were named, from the root on. Default is that all of it was. */
  readonly within?: readonly string[] | undefined;
}

/** Progress of the copying. */
export interface KeepProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** Result of the copying. File names are relative to the source's folder. */
export interface KeepReport {
  readonly to: string;
  readonly sources: readonly StoredSource[];
}

export interface StoredSource {
  readonly kind: string;
  readonly from: string;
  /** The folder of its copy: it opens like the source. */
  readonly to: string;
  readonly copied: FileCounts;
  readonly unchanged: FileCounts;
  readonly kept: readonly UnchangedFile[];
  readonly failed: readonly FileProblem[];
}

export interface FileCounts {
  readonly files: number;
  readonly bytes: number;
}

/**
 * A file with content that only the copies still have.
 *
 * - `deleted`: the source file is gone. The copy stays.
 * - `cut`: the source file is shorter than the copy. The copy stays.
 * - `replaced`: it is another file. It was copied; the earlier copy is at `earlier`, relative to the folder of the copies.
 */
export interface UnchangedFile {
  readonly file: string;
  readonly outcome: "deleted" | "cut" | "replaced";
  readonly bytes: number;
  readonly earlier?: string | undefined;
}
