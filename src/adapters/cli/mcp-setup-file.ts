import { randomBytes } from "node:crypto";
import { lstat, mkdir, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { visibleText } from "../../domain/text/visible-text.js";
import { CommandLineError, codeOf } from "./terminal.js";

/** Settings are smaller. */
const MOST_BYTES = 64 * 2 ** 20;

/** A file of settings as it was read. */
export interface SettingsFile {
  /** Where it lies, behind links. */
  readonly file: string;
  /** Without the mark that says in which order its bytes are. `undefined` where there is no file. */
  readonly text: string | undefined;
  readonly bytes: Buffer | undefined;
  readonly hasMark: boolean;
  /** The permissions of it. */
  readonly mode: number | undefined;
}

/** @throws CommandLineError for what is no file of text that can be changed */
export async function readSettings(named: string): Promise<SettingsFile> {
  const file = await fileBehind(named);
  if (file === undefined)
    return { file: named, text: undefined, bytes: undefined, hasMark: false, mode: undefined };
  const { mode, size } = await readable(file, () => stat(file));
  if (size > MOST_BYTES) throw new CommandLineError(`${visibleText(named)} is too large for settings.`);
  const bytes = await readable(file, () => readFile(file));
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const hasMark = text.startsWith(MARK);
    return { file, text: hasMark ? text.slice(1) : text, bytes, hasMark, mode: mode & 0o7777 };
  } catch (error) {
    const message = `${visibleText(named)} is no text in UTF-8: nothing was changed.`;
    throw new CommandLineError(message, { cause: error });
  }
}

/**
 * Writes beside the file, and puts that in its place: nobody ever reads a half of it.
 *
 * @param text `undefined` takes the file away
 * @throws CommandLineError where the file is not as it was read, or cannot be written
 */
export async function writeSettings(
  { file, bytes, hasMark, mode }: SettingsFile,
  text: string | undefined,
  newMode: number,
): Promise<void> {
  await readable(file, () => mkdir(path.dirname(file), { recursive: true }));
  const beside = path.join(
    path.dirname(file),
    `.${path.basename(file)}.${randomBytes(6).toString("hex")}.tmp`,
  );
  const written = `${hasMark ? MARK : ""}${text ?? ""}`;
  try {
    const handle = await readable(file, () => open(beside, "wx", mode ?? newMode));
    try {
      await handle.writeFile(written);
      // What a process may not give to a new file is taken off above.
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await sameAsRead(file, bytes);
    if (text === undefined) await rm(file);
    else await readable(file, () => rename(beside, file));
  } finally {
    await rm(beside, { force: true });
  }
}

const MARK = "\ufeff";

async function sameAsRead(file: string, bytes: Buffer | undefined): Promise<void> {
  const now = await readFile(file).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  const isSame = now === undefined || bytes === undefined ? now === bytes : now.equals(bytes);
  if (!isSame)
    throw new CommandLineError(`${visibleText(file)} was changed meanwhile. Run the command again.`);
}

/** `undefined` where there is nothing of that name. */
async function fileBehind(named: string): Promise<string | undefined> {
  const link = await lstat(named).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw unusable(named, error);
  });
  if (link === undefined) return undefined;
  const file = await readable(named, () => realpath(named));
  if ((await readable(file, () => stat(file))).isFile()) return file;
  throw new CommandLineError(`${visibleText(named)} is no file.`);
}

async function readable<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): CommandLineError {
  const message = `${visibleText(file)} cannot be read or written (${codeOf(error)}): nothing was changed.`;
  return new CommandLineError(message, { cause: error });
}
