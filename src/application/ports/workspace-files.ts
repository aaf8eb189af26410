import type { LinesWorkspace } from "../questions/explain-lines.js";

/** A file of the folder that somebody works in. */
export interface WorkspaceFile {
  /** From the top of its repository, or of that folder; with `/` on every system. */
  readonly file: string;
  readonly text: string;
  readonly workspace: LinesWorkspace;
}

/**
 * Reads files of the folder that somebody works in, and what their repository says of them. No part of the HTTP API has it: it reads what its
 * caller could read, on the caller's own machine.
 */
export interface WorkspaceFiles {
  /**
   * @param file a path from that folder, or a whole one
   * @param commit a revision of the repository in which the file is read. Default is the file as it lies there
   * @throws WorkspaceFileError for what is not there, lies outside of the repository and the folder, is no text or too large; its message says which
   */
  read(
    file: string,
    options?: { readonly commit?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<WorkspaceFile>;
}

/** A file or a commit that cannot be read; the message names it as it was asked for. */
export class WorkspaceFileError extends Error {
  override readonly name = "WorkspaceFileError";
  readonly parameter: "file" | "commit";
  /** What is wrong with it, without its name. */
  readonly problem: string;

  /** @param asked what was asked for */
  constructor(parameter: "file" | "commit", asked: string, problem: string) {
    super(`${asked} ${problem}`);
    this.parameter = parameter;
    this.problem = problem;
  }
}
