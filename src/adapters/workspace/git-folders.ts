import { lstat } from "node:fs/promises";
import path from "node:path";
import { isBelow } from "../files/bytes/contained-files.js";
import { realPathOf, smallText } from "./contained.js";

export async function topOf(folder: string): Promise<string | undefined> {
  for (let top = folder; ; ) {
    const entry = await lstat(path.join(top, ".git")).catch(() => undefined);
    const isRepository = entry?.isDirectory() ? await hasHead(path.join(top, ".git")) : entry !== undefined;
    if (isRepository) return top;
    const parent = path.dirname(top);
    if (parent === top) return undefined;
    top = parent;
  }
}

async function hasHead(gitFolder: string): Promise<boolean> {
  return (await lstat(path.join(gitFolder, "HEAD")).catch(() => undefined)) !== undefined;
}

/** Real paths: of one work tree, and of all work trees together. */
export interface GitFolders {
  readonly own: string;
  readonly shared: string;
}

/**
 * `.git` may lead outside in two cases, in which the target names the folder, too: a work tree of `git worktree`, and a submodule.
 * @param workTreeIn the `core.worktree` of a folder of git
 * @returns `undefined` if `.git` leads anywhere else
 */
export async function gitFoldersOf(
  top: string,
  workTreeIn: (gitFolder: string) => Promise<string | undefined>,
): Promise<GitFolders | undefined> {
  const entry = path.join(top, ".git");
  const pointer = /^gitdir: (.+)$/s.exec((await smallText(top, entry)) ?? "")?.[1];
  const own = await realPathOf(pointer === undefined ? entry : path.resolve(top, pointer));
  if (own === undefined) return undefined;
  const common = await smallText(own, path.join(own, "commondir"));
  const shared = common === undefined ? own : await realPathOf(path.resolve(own, common));
  if (shared === undefined) return undefined;
  const isInside = isBelow(top, own) && isBelow(top, shared);
  if (isInside || (await isAddedWorkTree({ own, shared }, entry))) return { own, shared };
  if (own !== shared) return undefined;
  const workTree = await workTreeIn(own);
  const isSubmodule = workTree !== undefined && (await realPathOf(path.resolve(own, workTree))) === top;
  return isSubmodule ? { own, shared } : undefined;
}

async function isAddedWorkTree({ own, shared }: GitFolders, entry: string): Promise<boolean> {
  if (path.dirname(own) !== path.join(shared, "worktrees")) return false;
  const back = await smallText(own, path.join(own, "gitdir"));
  return back !== undefined && (await realPathOf(path.resolve(own, back))) === entry;
}
