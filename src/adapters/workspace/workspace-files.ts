import { realpath } from "node:fs/promises";
import path from "node:path";
import {
  REPOSITORY_PROBLEMS,
  type RepositoryProblem,
  type WorkspaceFile,
  WorkspaceFileError,
  type WorkspaceFiles,
} from "../../application/ports/workspace-files.js";
import { isBelow } from "../files/bytes/contained-files.js";
import { readContained, realPathOf } from "./contained.js";
import { bytesIn, commitOf, gitFile, withoutReturns } from "./git-file.js";
import { topOf } from "./git-folders.js";
import { IsolatedRepository } from "./isolated-repository.js";

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_LINES = 20_000;

const TIMEOUT_MS = 10_000;

type ReadOptions = NonNullable<Parameters<WorkspaceFiles["read"]>[1]>;

/**
 * Files below a folder, or in its repository. A path that leads out of both, also by a link, is refused.
 * @param folder such as the working directory of a command
 * @param options.timeoutMs time limit for git per request. Default is 10 seconds
 */
export function workspaceFiles(folder: string, { timeoutMs = TIMEOUT_MS } = {}): WorkspaceFiles {
  return {
    async read(file, options = {}) {
      const here = await realpath(folder);
      const top = await topOf(here);
      if (top === undefined) return read({ here, file, top: here, repository: undefined }, options);
      const repository = await IsolatedRepository.open(top, timeoutMs, options.signal);
      try {
        return await read({ here, file, top, repository }, options);
      } finally {
        await repository.close();
      }
    },
  };
}

interface Request {
  readonly here: string;
  readonly file: string;
  readonly top: string;
  readonly repository: IsolatedRepository | undefined;
}

async function read(request: Request, { commit: revision }: ReadOptions): Promise<WorkspaceFile> {
  const { here, file, repository } = request;
  const requestedPath = path.resolve(here, file);
  const name =
    revision === undefined ? await existing(requestedPath, file) : await lastExisting(requestedPath);
  const usable = repository?.problem === undefined ? repository : undefined;
  const top = usable === undefined ? here : request.top;
  const relative = path.relative(top, name).split(path.sep);
  if (name === top || !isBelow(top, name) || relative.some((part) => part.toLowerCase() === ".git")) {
    throw new WorkspaceFileError("file", file, "lies outside of this folder and its repository.");
  }
  const inside = relative.join("/");
  const commit = revision === undefined ? undefined : await commitNamed(repository, revision);
  const isBeside = commit === undefined && !isBelow(here, name);
  if (isBeside && (await bytesIn(usable!, "HEAD", inside, 0)).bytes === undefined) {
    const problem =
      "lies outside of this folder, and the last commit does not have it. Call the command in its folder.";
    throw new WorkspaceFileError("file", file, problem);
  }
  const bytes =
    commit === undefined
      ? await bytesOf(top, name, file)
      : await committedBytes(usable!, commit, inside, file);
  const text = textOf(bytes, file);
  const { problem = repository?.problem, ...history } =
    usable === undefined
      ? { formerPaths: [], versions: [], commits: [] }
      : await gitFile({ repository: usable, path: inside, bytes, commit });
  return { file: inside, text, workspace: { folder: top, ...history }, ...(problem && { problem }) };
}

async function committedBytes(
  repository: IsolatedRepository,
  commit: string,
  inside: string,
  file: string,
): Promise<Buffer> {
  const { bytes, problem } = await bytesIn(repository, commit, inside, MOST_BYTES);
  if (bytes !== undefined) return bytes;
  const reason = problem === undefined ? "is not in that commit." : unreadable(problem);
  throw new WorkspaceFileError("file", file, reason);
}

function unreadable(problem: RepositoryProblem): string {
  return `cannot be read. ${REPOSITORY_PROBLEMS[problem]}`;
}

async function commitNamed(repository: IsolatedRepository | undefined, revision: string): Promise<string> {
  if (repository === undefined)
    throw new WorkspaceFileError("commit", revision, "names no commit: there is no git repository here.");
  const { id, problem } =
    repository.problem === undefined
      ? await commitOf(repository, revision)
      : { ...repository, id: undefined };
  if (id !== undefined) return id;
  const reason =
    problem === undefined || problem === "damaged" ? "is no commit of this repository." : unreadable(problem);
  throw new WorkspaceFileError("commit", revision, reason);
}

async function existing(requestedPath: string, file: string): Promise<string> {
  try {
    return await realpath(requestedPath);
  } catch (error) {
    throw codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR"
      ? new WorkspaceFileError("file", file, "is not there.")
      : new WorkspaceFileError("file", file, "cannot be read.");
  }
}

/** A commit's file may be absent from the disk: links are followed as far as possible. */
async function lastExisting(requestedPath: string): Promise<string> {
  for (let at = requestedPath, rest = ""; ; ) {
    const real = await realPathOf(at);
    if (real !== undefined) return path.join(real, rest);
    const parent = path.dirname(at);
    if (parent === at) return requestedPath;
    rest = path.join(path.basename(at), rest);
    at = parent;
  }
}

async function bytesOf(top: string, name: string, file: string): Promise<Buffer> {
  const bytes = await readContained(top, name, MOST_BYTES).catch(() => {
    throw new WorkspaceFileError("file", file, "cannot be read.");
  });
  if (bytes === undefined) throw new WorkspaceFileError("file", file, "is no file.");
  return bytes;
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
