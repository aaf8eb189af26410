import { randomUUID } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Writes a temporary file that no reader looks for; `use` links it to its permanent name. A temporary file that a killed process leaves
 * may be deleted.
 */
export async function withDraft<T>(
  folder: string,
  text: string,
  use: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = draftIn(folder);
  try {
    await writeFile(draft, text);
    return await use(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

export function draftIn(folder: string): string {
  return path.join(folder, `${randomUUID()}.draft`);
}

export async function linkNew(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
