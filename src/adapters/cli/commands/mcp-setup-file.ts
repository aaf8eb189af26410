import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
} from "node:fs/promises";
import path from "node:path";
import { visibleText } from "../../../domain/text/visible-text.js";
import { CommandLineError, codeOf } from "../text/terminal.js";
import { UnreadableSettingsError } from "./unreadable-settings-error.js";

/** A larger file is not a settings file. The syntax tree of such a file with short values takes 0.7 GB. */
const MOST_BYTES = 4 * 2 ** 20;

export interface SettingsFile {
  readonly file: string;
  readonly named: string;
  /** Without the byte order mark. `undefined` if the file does not exist. */
  readonly text: string | undefined;
  readonly bytes: Buffer | undefined;
  readonly hasMark: boolean;
  readonly access: { readonly mode: number; readonly uid: number; readonly gid: number } | undefined;
}

/**
 * @throws UnreadableSettingsError for a file that is too large, or is not a text
 * @throws CommandLineError for anything but a readable file
 */
export async function readSettings(named: string): Promise<SettingsFile> {
  const file = await explain(named, () => realPath(named));
  const handle = await openIfExists(file);
  if (handle === undefined)
    return { file, named, text: undefined, bytes: undefined, hasMark: false, access: undefined };
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw refusal(named, "is not a file");
    if (stats.size > MOST_BYTES)
      throw new UnreadableSettingsError(`it is larger than ${MOST_BYTES / 2 ** 20} MiB`);
    const bytes = await explain(file, () => handle.readFile());
    const { hasMark, text } = decode(bytes);
    const access = { mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid };
    return { file, named, text, bytes, hasMark, access };
  } finally {
    await handle.close();
  }
}

/**
 * Writes a new file beside the settings and renames it, so that no program reads half of it. A link to the settings stays a link.
 * @param text `undefined` removes the file
 * @param newMode the permissions of a new file
 * @throws CommandLineError if the file changed since it was read, or cannot be written with its owner
 */
export async function writeSettings(
  { file, bytes, hasMark, access }: SettingsFile,
  text: string | undefined,
  newMode: number,
): Promise<void> {
  const folder = path.dirname(file);
  await explain(file, () => mkdir(folder, { recursive: true }));
  const beside = path.join(folder, `.${path.basename(file)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await explain(file, () => open(beside, "wx", access?.mode ?? newMode));
    try {
      await explain(file, () => handle.writeFile(`${hasMark ? MARK : ""}${text ?? ""}`));
      if (access !== undefined) await explain(file, () => giveAccess(handle, access));
      await explain(file, () => handle.sync());
    } finally {
      await handle.close();
    }
    await expectSame(file, bytes);
    await explain(file, () => (text === undefined ? rm(file) : rename(beside, file)));
  } finally {
    await rm(beside, { force: true });
  }
}

const MARK = "\ufeff";

function decode(bytes: Buffer): { readonly hasMark: boolean; readonly text: string } {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const hasMark = text.startsWith(MARK);
    return { hasMark, text: hasMark ? text.slice(1) : text };
  } catch (error) {
    throw new UnreadableSettingsError("it is not a text in UTF-8", { cause: error });
  }
}

async function giveAccess(handle: FileHandle, access: NonNullable<SettingsFile["access"]>): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== access.uid || gid !== access.gid) await handle.chown(access.uid, access.gid);
  // After the owner, whose change removes some permissions.
  await handle.chmod(access.mode);
}

async function expectSame(file: string, bytes: Buffer | undefined): Promise<void> {
  const now = await readFile(file).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  const isSame = now === undefined || bytes === undefined ? now === bytes : now.equals(bytes);
  if (!isSame)
    throw new CommandLineError(`${visibleText(file)} changed in the meantime. Run the command again.`);
}

async function realPath(named: string): Promise<string> {
  try {
    return await realpath(named);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || path.dirname(named) === named) throw error;
    if (await isLink(named)) {
      const target = visibleText(path.resolve(path.dirname(named), await readlink(named)));
      throw refusal(named, `is a link to ${target}, which does not exist`, error);
    }
    return path.join(await realPath(path.dirname(named)), path.basename(named));
  }
}

async function isLink(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined);
  return stats?.isSymbolicLink() ?? false;
}

/** Opens without waiting for a writer, which a named pipe would need. */
async function openIfExists(file: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  return explain(file, () =>
    open(file, flags).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }),
  );
}

async function explain<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    throw refusal(
      file,
      PROBLEMS[codeOf(error) ?? ""] ?? `cannot be read or written (${codeOf(error)})`,
      error,
    );
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "cannot be read or written: permission denied (EACCES)",
  EPERM: "cannot be written with its owner and permissions (EPERM)",
  ELOOP: "is a link that leads back to itself (ELOOP)",
  ENOTDIR: "lies in something that is not a folder (ENOTDIR)",
};

function refusal(file: string, problem: string, cause?: unknown): CommandLineError {
  return new CommandLineError(`${visibleText(file)} ${problem}: nothing was changed.`, { cause });
}
