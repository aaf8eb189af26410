/**
 * How a recorded path belongs to a file that is asked about: it is the very file; it lies as deep in another folder, which may be the same
 * project on another machine or in another checkout; it only has the same name.
 */
export type PathMatch = "same" | "checkout" | "name";

/** A file as it is asked about. */
export interface AskedFile {
  /** From the top of its project, or a whole path. */
  readonly path: string;
  /** The folder that `path` begins in, where it is known. */
  readonly folder?: string | undefined;
  /** Paths that it had before, from the same folder. */
  readonly formerPaths?: readonly string[] | undefined;
}

/** A recorded path as one of a file that is asked about. */
export interface MatchedPath {
  readonly match: PathMatch;
  /** What the edits of one copy of the file have in common. */
  readonly copy: string;
}

/** @example baseName("src\\a.ts") // "a.ts" */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/**
 * Compares paths by their ends: histories come from other machines and other checkouts.
 *
 * @param directory that a relative path begins in; `""` where it is not known
 * @returns `undefined` for a file of another name
 */
export function matchPath(
  recorded: string,
  directory: string,
  { path, folder, formerPaths = [] }: AskedFile,
): MatchedPath | undefined {
  const whole = partsOf(isAbsolute(recorded) || directory === "" ? recorded : `${directory}/${recorded}`);
  const text = whole.join("/");
  const asked = [path, ...formerPaths].filter((one) => baseName(one) === whole.at(-1));
  if (asked.length === 0) return undefined;
  for (const one of asked) {
    const isSame = (top: string) => partsOf(top).join("/") === text;
    if (folder === undefined ? isAbsolute(one) && isSame(one) : isSame(`${folder}/${one}`))
      return { match: "same", copy: folder ?? text };
  }
  for (const one of asked) {
    const parts = partsOf(one);
    const shared = sharedEnd(whole, parts);
    const isAll = shared === parts.length || shared === whole.length;
    if (isAll && shared >= 2) return { match: "checkout", copy: whole.slice(0, -shared).join("/") };
    // At the top of a project its folder has to be called the same.
    const top = directory !== "" && partsOf(directory).join("/") === whole.slice(0, -1).join("/");
    if (parts.length === 1 && top && (folder === undefined || baseName(folder) === whole.at(-2)))
      return { match: "checkout", copy: whole.slice(0, -1).join("/") };
  }
  return { match: "name", copy: text };
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\~]|[a-z]:)/i.test(path);
}

function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split(/[\\/]/)) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts;
}

function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a.at(-1 - shared) === b.at(-1 - shared)) shared++;
  return shared;
}
