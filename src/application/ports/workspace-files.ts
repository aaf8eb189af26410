import type { FileVersion } from "../../domain/changes/line-authors.js";
import type { CommitOfLine } from "../../domain/changes/line-claims.js";

/** Reasons for missing facts about a file, as sentences for people. */
export const REPOSITORY_PROBLEMS = {
  absent: "The program git did not start, so no line has a commit. Install git.",
  slow: "git ran for 10 seconds and was ended, so lines may lack their commit. Name a smaller file or an older commit.",
  large:
    "git printed more than 16 MiB and was ended, so lines may lack their commit. Name a smaller file or an older commit.",
  outside:
    "The repository uses files outside of its folder. They are not read, so no line has a commit. " +
    'A repository that borrows objects is complete after "git repack -a -d" and without objects/info/alternates.',
  crowded:
    "The repository has more than 200,000 files or 64 MiB of references, so no line has a commit. " +
    'Run "git gc" in it.',
  unwritable:
    "git needs a temporary folder, and none can be written, so no line has a commit. " +
    "Free some space, or set TMPDIR to another folder.",
  damaged:
    "git cannot read the history of this file, so lines may lack their commit. Objects are damaged, larger than 256 MiB, " +
    "or missing as in a partial clone: nothing is fetched.",
} as const;

export type RepositoryProblem = keyof typeof REPOSITORY_PROBLEMS;

export interface WorkspaceFile {
  /** From the top of its repository, or of the folder; with `/` on every system. */
  readonly file: string;
  readonly text: string;
  readonly workspace: LinesWorkspace;
  /** The reason for missing commits or versions in `workspace`. Absent after a complete answer, and without a repository. */
  readonly problem?: RepositoryProblem | undefined;
}

/**
 * Reads files of the folder that somebody works in, and their git history. It is no part of the HTTP API: it reads what its caller could
 * read, on the caller's own machine. **Safety**: folder and repository may come from a stranger. No setting of the repository takes
 * effect, no program of it runs, nothing is fetched, and no file outside of both is read.
 */
export interface WorkspaceFiles {
  /**
   * @param file an absolute path, or one from that folder. A file that lies beside the folder must be in the repository's last commit
   * @param commit a revision of the repository in which the file is read. Default is the file in the folder
   * @throws WorkspaceFileError for a file that is missing, outside of the repository and the folder, not a text or too large; its message says which
   */
  read(
    file: string,
    options?: { readonly commit?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<WorkspaceFile>;
}

/** Its message names the file or commit as the caller did. */
export class WorkspaceFileError extends Error {
  override readonly name = "WorkspaceFileError";
  readonly parameter: "file" | "commit";
  /** The problem, without the name. */
  readonly problem: string;

  /** @param requested the file or the commit, as the caller named it */
  constructor(parameter: "file" | "commit", requested: string, problem: string) {
    super(`${requested} ${problem}`);
    this.parameter = parameter;
    this.problem = problem;
  }
}

/** Facts of a file beside its text. */
export interface LinesWorkspace {
  /** The folder that `file` begins in. */
  readonly folder: string;
  /** Paths that the file had before, from the same folder. */
  readonly formerPaths: readonly string[];
  /** The file as it was committed, the oldest first. */
  readonly versions: readonly FileVersion[];
  /** The commit of each line of the text; empty if unknown. */
  readonly commits: readonly (CommitOfLine | undefined)[];
}
