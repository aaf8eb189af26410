import { randomUUID } from "node:crypto";
import { link, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { visibleText } from "../../../domain/text/visible-text.js";
import { CommandLineError, codeOf } from "../text/terminal.js";

export interface WriteFileOptions {
  readonly force: boolean;
  readonly onProgress: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Writes a complete file or nothing: it renames the file after the last byte.
 * @returns the number of its bytes
 * @throws CommandLineError for an existing file, and if nothing can be written
 * @throws the signal's reason once it is aborted
 */
export async function writeCompleteFile(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  options: WriteFileOptions,
): Promise<number> {
  const { force } = options;
  await refuseExisting(file, force);
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.part`);
  try {
    const written = await writeNew(beside, bytes, options).catch((error: unknown) => {
      throw explained(file, error);
    });
    await giveName(beside, file, force).catch((error: unknown) => {
      throw explained(file, error);
    });
    return written;
  } finally {
    await rm(beside, { force: true }).catch(() => undefined);
  }
}

/** @throws CommandLineError for an existing file without `force`, and for a folder */
export async function refuseExisting(file: string, force: boolean): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there === undefined || (force && there.isFile())) return;
  throw there.isFile() ? existing(file) : new CommandLineError(`${quoted(file)} is no file.`);
}

async function writeNew(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  { onProgress, signal }: WriteFileOptions,
): Promise<number> {
  const handle = await open(file, "wx");
  let written = 0;
  try {
    for await (const piece of bytes) {
      signal.throwIfAborted();
      await handle.writeFile(piece);
      written += piece.length;
      onProgress(written);
    }
    signal.throwIfAborted();
    await handle.sync();
    return written;
  } finally {
    await handle.close();
  }
}

/** A link fails if the name is taken meanwhile, as renaming does not. Some file systems have no links. */
async function giveName(from: string, to: string, force: boolean): Promise<void> {
  if (force) return rename(from, to);
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    await refuseExisting(to, false);
    await rename(from, to);
  }
}

const quoted = (file: string) => `"${visibleText(file)}"`;

function existing(file: string): CommandLineError {
  return new CommandLineError(`${quoted(file)} is there already. To replace it, add --force.`);
}

function explained(file: string, error: unknown): unknown {
  if (error instanceof CommandLineError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === "EEXIST") return existing(file);
  if (code === undefined || syscall === undefined) return error;
  return new CommandLineError(`${quoted(file)} cannot be written (${code}).`, { cause: error });
}
