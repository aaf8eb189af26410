import { access, constants, mkdir } from "node:fs/promises";
import path from "node:path";
import envPaths from "env-paths";
import { formatBytes, formatCount } from "../../../domain/text/figures.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { codeOf, type Terminal } from "../text/terminal.js";
import type { CacheContents, CommandContext } from "./parts.js";

export function spansDir(): string {
  return path.join(envPaths("agent-inspector", { suffix: "" }).data, "spans");
}

export function cacheDir(): string {
  return envPaths("agent-inspector", { suffix: "" }).cache;
}

/** Creates the folder. If it cannot be written, a line reports it and nothing is cached. */
export async function usableCacheDir({ stderr }: Terminal): Promise<string | undefined> {
  const dir = cacheDir();
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return dir;
  } catch (error) {
    stderr.write(
      `The cache is not used: ${visibleText(dir)} cannot be written (${codeOf(error)}). --no-cache hides this message.\n`,
    );
    return undefined;
  }
}

export async function printCache({ parts, terminal }: CommandContext): Promise<void> {
  const contents = await parts.sizeOfCache(cacheDir());
  terminal.stdout.write(
    `${visibleText(cacheDir())}: ${textOf(contents)}. "agent-inspector cache clear" removes it.\n`,
  );
}

export async function removeCache({ parts, terminal }: CommandContext): Promise<void> {
  const contents = await parts.clearCache(cacheDir());
  terminal.stdout.write(`Removed ${textOf(contents)} from ${visibleText(cacheDir())}.\n`);
}

function textOf({ files, bytes }: CacheContents): string {
  return `${formatCount(files, "file")}, ${formatBytes(bytes)}`;
}
