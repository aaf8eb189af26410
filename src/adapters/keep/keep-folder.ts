import { rename, stat } from "node:fs/promises";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import type { HistoryFile } from "../../domain/session/history-files.js";
import { nameInside, openHandle } from "../files/bytes/contained-files.js";
import { inFolder, OutsideFolderError } from "../files/bytes/contained-writes.js";
import { moveInto } from "./copied-files.js";
import { isDatabase, openLog } from "./database-files.js";
import { completeLinesOf, expectUnchanged, FileChangedError, whileUnchanged } from "./read-consistently.js";
import {
  type CopiedFile,
  isAbsent,
  type KeepOutcome,
  type KeepPlace,
  putInPlace,
  sizeOfCopy,
  writeCopy,
} from "./write-copy.js";

/** Judges by the file's identity and the size of the copy. */
export async function isCopied(place: KeepPlace, file: string): Promise<boolean> {
  if (!(await isSame(place, file))) return false;
  const log = `${file}-wal`;
  const isThere = ((await statOrNone(log))?.size ?? 0) > 0;
  return isThere || place.copies.get(nameInside(place.root, log)) !== undefined ? isSame(place, log) : true;
}

async function isSame(place: KeepPlace, file: string): Promise<boolean> {
  const relative = nameInside(place.root, file);
  const before = place.copies.get(relative);
  if (before === undefined) return false;
  const [source, copySize] = await Promise.all([statOrNone(file), sizeOfCopy(place, relative)]);
  return (
    source?.size === before.source.bytes &&
    source.mtimeMs === before.source.modifiedAt &&
    copySize === before.bytes
  );
}

async function statOrNone(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

const EXPLAINED = [FileChangedError, SourceUnavailableError, OutsideFolderError];

/** A fault affects only this file. */
export async function keepFile(place: KeepPlace, file: HistoryFile): Promise<KeepOutcome[]> {
  const name = nameInside(place.root, file.path);
  try {
    return await whileUnchanged(() => copyFile(place, name, file), place.signal);
  } catch (error) {
    place.signal.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    // Nothing more can be copied: the caller must stop.
    if (code === "ENOSPC" || code === "EDQUOT" || code === "EROFS") throw error;
    const isExplained = EXPLAINED.some((explained) => error instanceof explained);
    if (!isExplained && code === undefined) throw error;
    return [
      { file: name, outcome: "failed", reason: isExplained ? message : `the file system fails (${code})` },
    ];
  }
}

async function copyFile(place: KeepPlace, name: string, { path: file, members }: HistoryFile) {
  const opened = await openHandle(place.root, file);
  if (opened === undefined) {
    const reason = "it is gone, is no file, or leads out of the folder";
    return [{ file: name, outcome: "failed", reason } satisfies KeepOutcome];
  }
  const { handle, identity } = opened;
  try {
    if (await isDatabase(handle)) return await copyDatabase(place, name, file, { handle, identity, members });
    const isLines = /\.(?:jsonl|ndjson)$/.test(name);
    const bytes = isLines ? await completeLinesOf(handle) : identity.size;
    const source = { handle, identity, bytes, members, isLines };
    const copy = await writeCopy(place, source, place.copies.get(name)?.bytes);
    if (!isLines) await expectUnchanged(handle, identity);
    return [await putInPlace(place, name, source, copy)];
  } finally {
    await handle.close();
  }
}

/** While the database file does not change, its log only grows. The log ends with the last commit; later data is ignored. */
async function copyDatabase(
  place: KeepPlace,
  name: string,
  file: string,
  opened: Pick<CopiedFile, "handle" | "identity" | "members">,
): Promise<KeepOutcome[]> {
  const database = { ...opened, bytes: opened.identity.size, isLines: false };
  const log = await openLog(place.root, file);
  try {
    const copy = await writeCopy(place, database, undefined);
    const copyOfLog =
      log && (await writeCopy(place, { ...log, members: undefined, isLines: false }, undefined, "-wal"));
    await expectUnchanged(opened.handle, opened.identity);
    await log?.expectSame();
    if (log === undefined && (await openLog(place.root, file))) throw new FileChangedError();
    const logName = `${name}-wal`;
    // A log belongs only to its own database. So the previous log is removed first, and the new log is added last.
    const logBefore = place.copies.get(logName);
    const aside = `${copy.path}-old`;
    const hadLog = (await sizeOfCopy(place, logName)) !== undefined;
    const logTarget = path.join(place.name, logName);
    if (hadLog)
      await inFolder(place.to, path.dirname(logTarget), (folder) =>
        rename(path.join(folder.path, path.basename(logTarget)), aside),
      );
    const outcome = await putInPlace(place, name, database, copy);
    if (hadLog && outcome.outcome === "replaced") await moveInto(place.to, aside, `${outcome.earlier}-wal`);
    const outcomes = [outcome];
    if (log !== undefined && copyOfLog !== undefined) {
      outcomes.push(
        await putInPlace(place, logName, { ...log, members: undefined, isLines: false }, copyOfLog),
      );
    } else if (logBefore !== undefined) {
      await place.copies.forget(logName);
    }
    return outcomes;
  } finally {
    await log?.handle.close();
  }
}

export async function deletedSince(
  place: KeepPlace,
  listed: ReadonlySet<string>,
  within: readonly string[] | undefined,
): Promise<KeepOutcome[]> {
  const deleted: KeepOutcome[] = [];
  for (const { file, bytes } of place.copies.all()) {
    const isSelected = within === undefined || within.some((folder) => file.startsWith(`${folder}/`));
    if (!isSelected || listed.has(file) || file.endsWith("-wal")) continue;
    const [source, copySize] = await Promise.all([
      statOrNone(path.join(place.root, file)),
      sizeOfCopy(place, file),
    ]);
    if (source === undefined && copySize !== undefined) deleted.push({ file, outcome: "deleted", bytes });
  }
  return deleted;
}
