import path from "node:path";
import { entriesIn, statContained } from "../files/bytes/contained-files.js";

/** What lies in a folder, by name; nothing where it is absent or leads outside. A link may be either. */
export function namesIn(
  root: string,
  folder: string,
): { readonly files: string[]; readonly folders: string[] } {
  const entries = entriesIn(root, folder) ?? [];
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    const isLink = entry.isSymbolicLink();
    const target = isLink ? statContained(root, path.join(folder, entry.name)) : entry;
    if (target?.isDirectory()) folders.push(entry.name);
    else if (target?.isFile()) files.push(entry.name);
  }
  return { files, folders };
}
