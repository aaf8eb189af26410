import { readdirSync } from "node:fs";
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { HAS_SHARED_DATA, SHARED_DATA } from "../../support/shared-data.js";

/** Exports of real agents, one OTLP request a file or a line. */
export const DATA = path.join(SHARED_DATA, "otlp");

/** Paths in the folder. */
export function realFiles(): string[] {
  if (!HAS_SHARED_DATA) return [];
  return readdirSync(DATA, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.jsonl?$/.test(file))
    .map((file) => file.split(path.sep).join("/"))
    .sort();
}

export async function realFolders(files: readonly string[]): Promise<{ name: string; folder: string }[]> {
  const root = await mkdtemp(path.join(tmpdir(), "otlp-files-"));
  const folders = files.map((name) => ({ name, folder: path.join(root, name.replaceAll("/", "-")) }));
  for (const { name, folder } of folders) {
    await cp(path.join(DATA, name), path.join(folder, path.basename(name)), { recursive: true });
  }
  return folders;
}
