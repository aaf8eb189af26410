import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import {
  type WorkspaceFile,
  WorkspaceFileError,
  type WorkspaceFiles,
} from "../../application/ports/workspace-files.js";
import { commitOf, gitFile, textIn, topOf, withoutReturns } from "./git-file.js";

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_LINES = 20_000;

/**
 * Files below a folder, or in the repository that it lies in. A path that leads out of both is refused, also by a link.
 *
 * @param folder such as the one that a command was called in
 */
export function workspaceFiles(folder: string): WorkspaceFiles {
  return { read: (file, options = {}) => read(folder, file, options) };
}

async function read(
  folder: string,
  file: string,
  { commit: revision, signal }: NonNullable<Parameters<WorkspaceFiles["read"]>[1]>,
): Promise<WorkspaceFile> {
  const here = await realpath(folder);
  const repository = await topOf(here, signal);
  const top = repository === undefined ? here : await realpath(repository);
  const asked = path.resolve(here, file);
  const name = revision === undefined ? await existing(asked, file) : await lastExisting(asked);
  const from = path.relative(top, name);
  const parts = from.split(path.sep);
  if (from === "" || path.isAbsolute(from) || parts[0] === ".." || parts[0] === ".git")
    throw new WorkspaceFileError("file", file, "lies outside of this folder and its repository.");
  const relative = parts.join("/");
  const commit = revision === undefined ? undefined : await commitNamed(repository, revision, signal);
  const place = { top, path: relative, commit, signal };
  const bytes = commit === undefined ? await bytesOf(name, file) : await textIn(place, MOST_BYTES);
  if (bytes === undefined) throw new WorkspaceFileError("file", file, "is not in that commit.");
  const text = textOf(bytes, file);
  const known =
    repository === undefined ? { formerPaths: [], versions: [], commits: [] } : await gitFile(place);
  return { file: relative, text, workspace: { folder: top, ...known } };
}

async function commitNamed(
  repository: string | undefined,
  revision: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (repository === undefined)
    throw new WorkspaceFileError("commit", revision, "names no commit: there is no git repository here.");
  const commit = await commitOf(repository, revision, signal);
  if (commit === undefined)
    throw new WorkspaceFileError("commit", revision, "is no commit of this repository.");
  return commit;
}

async function existing(asked: string, file: string): Promise<string> {
  try {
    return await realpath(asked);
  } catch (error) {
    throw codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR"
      ? new WorkspaceFileError("file", file, "is not there.")
      : new WorkspaceFileError("file", file, "cannot be read.");
  }
}

/** A file of a commit need not lie there any more: links are followed as far as there is something. */
async function lastExisting(asked: string): Promise<string> {
  for (let at = asked, rest = ""; ; ) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return path.join(real, rest);
    const parent = path.dirname(at);
    if (parent === at) return asked;
    rest = path.join(path.basename(at), rest);
    at = parent;
  }
}

async function bytesOf(name: string, file: string): Promise<Buffer> {
  const known = await stat(name);
  // A pipe would be waited for.
  if (!known.isFile()) throw new WorkspaceFileError("file", file, "is no file.");
  if (known.size > MOST_BYTES) throw tooLarge(file);
  try {
    return await readFile(name);
  } catch {
    throw new WorkspaceFileError("file", file, "cannot be read.");
  }
}

function textOf(bytes: Buffer, file: string): string {
  if (bytes.length > MOST_BYTES) throw tooLarge(file);
  if (bytes.includes(0)) throw new WorkspaceFileError("file", file, "is no text.");
  const text = withoutReturns(bytes.toString());
  if (text.split("\n", MOST_LINES + 2).length > MOST_LINES + 1) throw tooLarge(file);
  return text;
}

function tooLarge(file: string): WorkspaceFileError {
  return new WorkspaceFileError("file", file, "is too large: at most 2 MiB and 20,000 lines are explained.");
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
