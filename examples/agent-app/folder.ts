import { readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";

/** Restricts the agent to one folder, for any path or symbolic link. */
export class Folder {
  readonly #root: string;

  constructor(root: string) {
    this.#root = path.resolve(root);
  }

  async list(at: string): Promise<string[]> {
    const entries = await readdir(await this.#inside(at), { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  }

  async read(at: string): Promise<string> {
    return readFile(await this.#inside(at), "utf8");
  }

  /** `file:line: text`, without files behind symbolic links. */
  async search(text: string, limit = 20): Promise<string[]> {
    const matches: string[] = [];
    const entries = await readdir(await this.#inside("."), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    for (const file of files.sort()) {
      const lines = (await readFile(file, "utf8")).split("\n");
      const name = path.relative(await realpath(this.#root), file);
      matches.push(
        ...lines.flatMap((line, i) => (line.includes(text) ? [`${name}:${i + 1}: ${line.trim()}`] : [])),
      );
      if (matches.length >= limit) break;
    }
    return matches.slice(0, limit);
  }

  async #inside(at: string): Promise<string> {
    const root = await realpath(this.#root);
    // Two checks: an error must not reveal if a file outside exists.
    const wanted = path.resolve(root, at);
    if (!contains(root, wanted)) throw new Error(`"${at}" is outside of the folder.`);
    const real = await realpath(wanted).catch(() => {
      throw new Error(`There is no "${at}".`);
    });
    if (!contains(root, real)) throw new Error(`"${at}" is outside of the folder.`);
    return real;
  }
}

function contains(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return !path.isAbsolute(relative) && relative !== ".." && !relative.startsWith(`..${path.sep}`);
}
