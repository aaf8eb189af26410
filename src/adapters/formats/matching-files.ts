import path from "node:path";
import { entriesIn, readableOrNone } from "../files/bytes/contained-files.js";

const DEEPEST = 16;

/**
 * `*` is any part of a name, `**` as the last name any files below. Skips links and unreadable folders.
 * @example
 * yield* matchingFiles("/home/ada/.gemini", "tmp/**");
 */
export function* matchingFiles(root: string, pattern: string): Generator<void, string[]> {
  return yield* below(root, root, pattern.split("/"), DEEPEST);
}

function* below(
  root: string,
  folder: string,
  [name = "", ...rest]: readonly string[],
  levels: number,
): Generator<void, string[]> {
  if (levels === 0) return [];
  yield;
  const isAll = name === "**";
  if (!isAll && !name.includes("*") && rest.length > 0) {
    return yield* below(root, path.join(folder, name), rest, levels - 1);
  }
  const files: string[] = [];
  for (const entry of readableOrNone(() => entriesIn(root, folder)) ?? []) {
    if (!isAll && !matches(entry.name, name)) continue;
    const inside = path.join(folder, entry.name);
    const isLast = isAll || rest.length === 0;
    if (entry.isFile() && isLast) files.push(inside);
    if (entry.isDirectory() && (isAll || !isLast)) {
      for (const file of yield* below(root, inside, isAll ? [name] : rest, levels - 1)) files.push(file);
    }
  }
  return files;
}

function matches(name: string, pattern: string): boolean {
  const [start = "", ...ends] = pattern.split("*");
  if (ends.length === 0) return name === pattern;
  return name.startsWith(start) && name.endsWith(ends.at(-1)!) && name.length >= pattern.length - 1;
}
