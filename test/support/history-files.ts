import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { temporaryFolder } from "./data-directory.js";

/** Contents of files by their paths in a folder. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Creates a folder with files. It is removed when the test ends. */
export async function folderWith(files: Files = {}): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(folder, files);
  return folder;
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

/** Returns records as JSON Lines. */
export function lines(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
