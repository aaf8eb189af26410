import { opendir, realpath } from "node:fs/promises";
import path from "node:path";
import type { RepositoryProblem } from "../../application/ports/workspace-files.js";
import { isBelow, openHandle } from "../files/bytes/contained-files.js";

const MOST_ENTRIES = 200_000;

/**
 * Reads a regular file inside a folder, by its real path. It never blocks on a pipe.
 * @returns at most `maxBytes` and one more; `undefined` without such a file
 * @throws SourceUnavailableError if it may not be read
 */
export async function readContained(
  root: string,
  file: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const opened = await openHandle(root, file);
  if (opened === undefined) return undefined;
  const { handle } = opened;
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; length <= maxBytes; ) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(maxBytes + 1 - length, 65_536)));
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}

/** Without its line end; `undefined` without a file. */
export async function smallText(root: string, file: string): Promise<string | undefined> {
  const bytes = await readContained(root, file, 4_096).catch(() => undefined);
  return bytes === undefined || bytes.length > 4_096 ? undefined : bytes.toString().trimEnd();
}

export async function realPathOf(file: string): Promise<string | undefined> {
  return realpath(file).catch(() => undefined);
}

/**
 * Reason against reading a folder with git: a link leads elsewhere, or a pipe would block it. `undefined` if it holds only regular files
 * and folders.
 */
export async function problemIn(root: string, folder: string): Promise<RepositoryProblem | undefined> {
  const real = await realPathOf(folder);
  if (real === undefined || !isBelow(root, real)) return "outside";
  const folders = [real];
  let entries = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    try {
      for await (const entry of await opendir(next, { bufferSize: 256 })) {
        if (++entries > MOST_ENTRIES) return "crowded";
        if (entry.isDirectory()) folders.push(path.join(next, entry.name));
        else if (!entry.isFile()) return "outside";
      }
    } catch (error) {
      // git removes empty folders while it packs.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return "outside";
    }
  }
  return undefined;
}
