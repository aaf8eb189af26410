import { randomUUID } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Writes a file under a temporary name that no reader looks for, and removes that name at the end. `use` links the complete file to its
 * permanent name. If the process is killed meanwhile, the temporary file remains and may be deleted.
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

/** A name in a folder that nothing has, for a file that is there for a moment. */
export function draftIn(folder: string): string {
  return path.join(folder, `${randomUUID()}.draft`);
}

/** Gives a file one more name. @returns false where something has that name already */
export async function linkNew(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
