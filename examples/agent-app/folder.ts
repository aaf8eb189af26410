import { readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";

/** What the agent may see: one folder, and nothing outside it, wherever a path or a symbolic link points. */
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

  /** The lines that contain the text, as `file:line: text`; symbolic links are not followed. */
  async search(text: string, limit = 20): Promise<string[]> {
    const found: string[] = [];
    const entries = await readdir(await this.#inside("."), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    for (const file of files.sort()) {
      const lines = (await readFile(file, "utf8")).split("\n");
      const name = path.relative(await realpath(this.#root), file);
      found.push(
        ...lines.flatMap((line, i) => (line.includes(text) ? [`${name}:${i + 1}: ${line.trim()}`] : [])),
      );
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  async #inside(at: string): Promise<string> {
    const root = await realpath(this.#root);
    // Checked twice: what does not exist, or is outside, is told apart by nobody who may not look there.
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
