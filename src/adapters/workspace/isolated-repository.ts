import { lstat, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { RepositoryProblem } from "../../application/ports/workspace-files.js";
import { problemIn, readContained } from "./contained.js";
import { type GitFolders, gitFoldersOf } from "./git-folders.js";
import { type GitOptions, type GitOutput, runGit } from "./run-git.js";

const MOST_COPIED = 64 * 1024 * 1024;

const MOST_SETTINGS = 1024 * 1024;

type RunOptions = Pick<GitOptions, "input" | "maxBytes"> & {
  /** True to include the staged state. Default is false. */
  readonly withIndex?: boolean;
};

/**
 * git runs in a temporary folder with settings of this program, links to the references, and reads the objects in place. **Reason**:
 * settings, attributes, hooks and the index of a repository name programs to run and files to read, and each version of git adds some. No
 * list of options disables all of them.
 * @example
 * const repository = await IsolatedRepository.open(top, 10_000, signal);
 * try {
 *   await repository.run(["log", "HEAD"], { maxBytes: 1_000 });
 * } finally {
 *   await repository.close();
 * }
 */
export class IsolatedRepository {
  problem: RepositoryProblem | undefined;
  readonly #folder: string;
  readonly #options: Pick<GitOptions, "folder" | "deadline" | "signal">;
  #folders: GitFolders | undefined;

  private constructor(folder: string, timeoutMs: number, signal: AbortSignal | undefined) {
    this.#folder = folder;
    this.#options = { folder, deadline: performance.now() + timeoutMs, signal };
  }

  /**
   * @param top the real path of the folder with `.git`
   * @param timeoutMs time limit for git until the repository is closed
   * @throws the signal's reason when it aborts
   */
  static async open(
    top: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<IsolatedRepository> {
    const name = path.join(tmpdir(), "agent-inspector-git-");
    const folder = await mkdtemp(name).catch(() => name);
    const repository = new IsolatedRepository(folder, timeoutMs, signal);
    try {
      repository.problem = folder === name ? "unwritable" : await repository.#fill(top);
    } catch {
      repository.problem = "unwritable";
    }
    if (signal?.aborted) await repository.close();
    signal?.throwIfAborted();
    return repository;
  }

  async run(args: readonly string[], { withIndex = false, ...options }: RunOptions): Promise<GitOutput> {
    const { own, shared } = this.#folders!;
    const index = path.join(own, "index");
    const variables = {
      GIT_DIR: this.#gitFolder,
      GIT_WORK_TREE: path.join(this.#folder, "work-tree"),
      GIT_OBJECT_DIRECTORY: path.join(shared, "objects"),
      ...(withIndex && (await lstat(index).catch(() => undefined))?.isFile()
        ? { GIT_INDEX_FILE: index }
        : {}),
    };
    return runGit(args, { ...this.#options, ...options, variables });
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** A work tree of `git worktree` has its own `HEAD`. */
  get #gitFolder(): string {
    const { own, shared } = this.#folders!;
    return own === shared ? this.#folder : path.join(this.#folder, "worktrees", "one");
  }

  async #fill(top: string): Promise<RepositoryProblem | undefined> {
    const folders = await gitFoldersOf(top, (gitFolder) => this.#workTreeIn(gitFolder));
    if (folders === undefined) return "outside";
    this.#folders = folders;
    const { own, shared } = folders;
    const settings = await this.#settingsIn(path.join(shared, "config"), shared);
    const isOfTables = settings.get("extensions.refstorage") === "reftable";
    await mkdir(this.#gitFolder, { recursive: true });
    if (own !== shared) await writeFile(path.join(this.#gitFolder, "commondir"), "../..");
    const config = [
      ...["[core]", "repositoryFormatVersion = 1", "bare = false", "quotePath = false"],
      // git gets file names as the system spells them.
      "precomposeUnicode = true",
      ...[
        "[extensions]",
        `objectFormat = ${settings.get("extensions.objectformat") === "sha256" ? "sha256" : "sha1"}`,
      ],
      ...(isOfTables ? ["refStorage = reftable"] : []),
      ...["[mailmap]", "blob = HEAD:.mailmap", ""],
    ];
    await writeFile(path.join(this.#folder, "config"), config.join("\n"));
    await mkdir(path.join(this.#folder, "work-tree"));
    const problems = await Promise.all([
      this.#link(shared, "refs", this.#folder),
      isOfTables ? this.#linkTables(shared, this.#folder) : undefined,
      isOfTables && own !== shared ? this.#linkTables(own, this.#gitFolder) : undefined,
      problemIn(shared, path.join(shared, "objects")),
      problemOfAlternates(shared),
      ...["HEAD", "MERGE_HEAD"].map((name) => this.#copy(own, name, this.#gitFolder)),
      ...["packed-refs", "shallow"].map((name) => this.#copy(shared, name, this.#folder)),
    ]);
    return problems.find((problem) => problem !== undefined);
  }

  /** For revisions such as `main@{yesterday}`. */
  async addLogs(): Promise<void> {
    const { own, shared } = this.#folders!;
    await Promise.all([
      this.#copy(own, "logs/HEAD", this.#gitFolder),
      this.#link(shared, "logs/refs", this.#folder),
    ]);
  }

  async #link(root: string, name: string, target: string): Promise<RepositoryProblem | undefined> {
    const folder = path.join(root, name);
    const problem = await problemIn(root, folder);
    if (problem !== undefined) return problem;
    const link = path.join(target, name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(folder, link, "junction");
    return undefined;
  }

  /** For references in tables (reftable). git would open any file in their list, so each name is checked. */
  async #linkTables(root: string, target: string): Promise<RepositoryProblem | undefined> {
    const file = path.join(root, "reftable", "tables.list");
    const names = await readContained(root, file, MOST_SETTINGS).catch(() => undefined);
    const isSafe = names !== undefined && /^[\w.\n-]*$/.test(names.toString());
    return isSafe ? this.#link(root, "reftable", target) : "outside";
  }

  /** @returns the reason against reading the file; a missing one is no problem */
  async #copy(root: string, name: string, target: string): Promise<RepositoryProblem | undefined> {
    const bytes = await readContained(root, path.join(root, name), MOST_COPIED).catch(() => undefined);
    if (bytes === undefined) return undefined;
    if (bytes.length > MOST_COPIED) return "crowded";
    const copy = path.join(target, name);
    await mkdir(path.dirname(copy), { recursive: true });
    await writeFile(copy, bytes);
    return undefined;
  }

  async #workTreeIn(gitFolder: string): Promise<string | undefined> {
    for (const name of ["config.worktree", "config"]) {
      const settings = await this.#settingsIn(path.join(gitFolder, name), gitFolder);
      const workTree = settings.get("core.worktree");
      if (workTree !== undefined) return workTree;
    }
    return undefined;
  }

  /** Ignores included files, and has no effect on git. */
  async #settingsIn(file: string, root: string): Promise<ReadonlyMap<string, string>> {
    const bytes = await readContained(root, file, MOST_SETTINGS).catch(() => undefined);
    if (bytes === undefined || bytes.length > MOST_SETTINGS) return new Map();
    const args = ["config", "--file", "-", "--no-includes", "--null", "--list"];
    const variables = { GIT_DIR: this.#folder };
    const options = { ...this.#options, variables, input: bytes.toString(), maxBytes: 2 * MOST_SETTINGS };
    const listed = await runGit(args, options);
    return new Map(
      listed.bytes
        .toString()
        .split("\0")
        .map((entry) => entry.split("\n", 2) as [string, string]),
    );
  }
}

/** A repository may borrow objects of another one. */
async function problemOfAlternates(shared: string): Promise<RepositoryProblem | undefined> {
  const file = path.join(shared, "objects", "info", "alternates");
  const size = (await lstat(file).catch(() => undefined))?.size ?? 0;
  return size === 0 ? undefined : "outside";
}
