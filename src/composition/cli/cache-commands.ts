import { access, constants, mkdir } from "node:fs/promises";
import path from "node:path";
import envPaths from "env-paths";
import { type CacheSize, clearCache, sizeOfCache } from "../../adapters/files/cache/cache-folder.js";
import { runInSlices } from "../../application/threads/slices.js";

/** Where received spans are kept, among the user's data. */
export function spansDir(): string {
  return path.join(envPaths("agent-inspector", { suffix: "" }).data, "spans");
}

/** The user's cache folder, where the platform has it. */
export function cacheDir(): string {
  return envPaths("agent-inspector", { suffix: "" }).cache;
}

/** The same where it can be written, made where it is not there; else one line says so, and nothing is cached. */
export async function usableCacheDir(): Promise<string | undefined> {
  const dir = cacheDir();
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return dir;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    process.stderr.write(
      `Nothing is kept for the next start: ${dir} cannot be written (${code}). --no-cache leaves this line out.\n`,
    );
    return undefined;
  }
}

export async function printCache(): Promise<void> {
  const size = await runInSlices(sizeOfCache(cacheDir()));
  process.stdout.write(`${cacheDir()}: ${textOf(size)}. "agent-inspector cache clear" removes it.\n`);
}

export async function removeCache(): Promise<void> {
  const size = await runInSlices(clearCache(cacheDir()));
  process.stdout.write(`Removed ${textOf(size)} from ${cacheDir()}.\n`);
}

function textOf({ files, bytes }: CacheSize): string {
  return `${files} files, ${(bytes / 1_000_000).toFixed(1)} MB`;
}
