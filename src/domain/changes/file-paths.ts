/** `same`: the same file. `checkout`: the same relative path in another folder, such as on another machine. `name`: only the same name. */
export type PathMatch = "same" | "checkout" | "name";

export interface RequestedFile {
  /** Relative to its project, or absolute. */
  readonly path: string;
  readonly folder?: string | undefined;
  readonly formerPaths?: readonly string[] | undefined;
}

export interface MatchedPath {
  readonly match: PathMatch;
  /** The same for all edits of one copy of the file. */
  readonly copy: string;
}

/** @example baseName("src\\a.ts") // "a.ts" */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/**
 * Compares the ends of paths, because histories come from other machines and checkouts.
 * @param directory base of a relative path; `""` without one
 * @returns `undefined` for a file with another name
 */
export function matchPath(
  recorded: string,
  directory: string,
  { path, folder, formerPaths = [] }: RequestedFile,
): MatchedPath | undefined {
  const segments = partsOf(isAbsolute(recorded) || directory === "" ? recorded : `${directory}/${recorded}`);
  const text = segments.join("/");
  const candidates = [path, ...formerPaths].filter((one) => baseName(one) === segments.at(-1));
  if (candidates.length === 0) return undefined;
  for (const one of candidates) {
    const isSame = (top: string) => partsOf(top).join("/") === text;
    if (folder === undefined ? isAbsolute(one) && isSame(one) : isSame(`${folder}/${one}`))
      return { match: "same", copy: folder ?? text };
  }
  for (const one of candidates) {
    const parts = partsOf(one);
    const shared = sharedEnd(segments, parts);
    const isAll = shared === parts.length || shared === segments.length;
    if (isAll && shared >= 2) return { match: "checkout", copy: segments.slice(0, -shared).join("/") };
    // A file at the top of a project needs a folder of the same name.
    const top = directory !== "" && partsOf(directory).join("/") === segments.slice(0, -1).join("/");
    if (parts.length === 1 && top && (folder === undefined || baseName(folder) === segments.at(-2)))
      return { match: "checkout", copy: segments.slice(0, -1).join("/") };
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
