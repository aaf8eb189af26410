/**
 * Types for the command that copies histories, so that they survive when agent programs delete them. A history is the record of sessions
 * that such a program writes on this machine.
 */

/** A file with one or more sessions. */
export interface HistoryFile {
  readonly path: string;
  /** Names of the sessions in it, if one packed file contains several. */
  readonly members?: readonly string[] | undefined;
}

/** The files of all histories in a folder. Settings and credentials of the program are not among them. */
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
  /** Name of the program that wrote it. The name of the copy begins with it. */
  readonly kind: string;
  readonly root: string;
  /** Subfolders that the user selected, relative to `root`. Default is the complete folder. */
  readonly within?: readonly string[] | undefined;
}

/** Progress of the command. */
export interface KeepProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** Result of the command. File names are relative to the source's folder. */
export interface KeepReport {
  /** The folder of all copies. */
  readonly to: string;
  readonly sources: readonly StoredSource[];
}

/** Result for one folder of histories. */
export interface StoredSource {
  readonly kind: string;
  readonly from: string;
  /** The folder of its copy. The inspector opens it like the source. */
  readonly to: string;
  readonly copied: FileCounts;
  readonly unchanged: FileCounts;
  /** Files with content that the source no longer has. */
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
