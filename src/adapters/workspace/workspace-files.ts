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
    throw new WorkspaceFileError(`${file} lies outside of this folder and its repository.`);
  const relative = parts.join("/");
  const commit = revision === undefined ? undefined : await commitNamed(repository, revision, signal);
  const place = { top, path: relative, commit, signal };
  const bytes = commit === undefined ? await bytesOf(name, file) : await textIn(place, MOST_BYTES);
  if (bytes === undefined) throw new WorkspaceFileError(`${file} is not in the commit ${revision}.`);
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
    throw new WorkspaceFileError("There is no git repository here, so no commit of it can be named.");
  const commit = await commitOf(repository, revision, signal);
  if (commit === undefined) throw new WorkspaceFileError(`There is no commit ${revision}.`);
  return commit;
}

async function existing(asked: string, file: string): Promise<string> {
  try {
    return await realpath(asked);
  } catch (error) {
    throw new WorkspaceFileError(`There is no file ${file}.`, { cause: error });
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
  if (!known.isFile()) throw new WorkspaceFileError(`${file} is no file.`);
  if (known.size > MOST_BYTES) throw tooLarge(file);
  return await readFile(name);
}

function textOf(bytes: Buffer, file: string): string {
  if (bytes.length > MOST_BYTES) throw tooLarge(file);
  if (bytes.includes(0)) throw new WorkspaceFileError(`${file} is no text.`);
  const text = withoutReturns(bytes.toString());
  if (text.split("\n", MOST_LINES + 2).length > MOST_LINES + 1) throw tooLarge(file);
  return text;
}

function tooLarge(file: string): WorkspaceFileError {
  return new WorkspaceFileError(`${file} is too large: at most 2 MiB and 20,000 lines are explained.`);
}
