import { realpath, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import type {
  FileCounts,
  HistoryFile,
  KeepProgress,
  KeepReport,
  StoredFolder,
  StoredSource,
  UnchangedFile,
} from "../../domain/session/history-files.js";
import { formatBytes } from "../../domain/text/figures.js";
import { isBelow, nameInside } from "../files/bytes/contained-files.js";
import { type OpenFolder, OutsideFolderError } from "../files/bytes/contained-writes.js";
import { CopiedFiles, inUnfinishedFolder, nameOfCopy, realPlace } from "./copied-files.js";
import { deletedSince, isCopied, keepFile } from "./keep-folder.js";
import type { KeepOutcome, KeepPlace } from "./write-copy.js";

export interface KeepOptions {
  readonly to: string;
  readonly onProgress?: ((progress: KeepProgress) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Copies histories byte for byte, each version once. Nothing in a copy is deleted, and nothing is written into the original.
 * @throws SourceUnavailableError if copies and originals would overlap, and if the disk has too little room
 */
export async function keepHistories(
  folders: readonly StoredFolder[],
  options: KeepOptions,
): Promise<KeepReport> {
  const { to } = options;
  const target = path.resolve(to);
  const real = await realPlace(target);
  const roots = await Promise.all(folders.map(({ root }) => realpath(root)));
  for (const [i, root] of roots.entries()) {
    if (!isBelow(root, real) && !isBelow(real, root)) continue;
    throw new SourceUnavailableError(
      `${to} and ${folders[i]!.root} lie in each other: name a folder for the copies that has nothing to do with what is copied.`,
    );
  }
  try {
    return await inUnfinishedFolder(target, (unfinished) =>
      keepInto(target, unfinished, folders, roots, options),
    );
  } catch (error) {
    if (!(error instanceof OutsideFolderError)) throw error;
    throw new SourceUnavailableError(`In ${to}, ${error.message}.`, { cause: error });
  }
}

async function keepInto(
  target: string,
  unfinished: OpenFolder,
  folders: readonly StoredFolder[],
  roots: readonly string[],
  { onProgress, signal }: KeepOptions,
): Promise<KeepReport> {
  const plans = [];
  for (const [i, folder] of folders.entries()) {
    const name = await nameOfCopy(target, folder.kind, roots[i]!);
    const copied = await CopiedFiles.read(target, name);
    const place: KeepPlace = {
      root: path.resolve(folder.root),
      to: target,
      name,
      copies: copied,
      unfinished,
      signal,
    };
    plans.push({ folder, place, ...(await planOf(place, folder.files)) });
  }
  const totalFiles = sum(plans.map(({ files }) => files.length));
  const totalBytes = sum(plans.map(({ bytes }) => bytes));
  await expectRoom(target, totalBytes);
  const done = { files: 0, bytes: 0 };
  const tell = () => onProgress?.({ ...done, totalFiles, totalBytes });
  const sources: StoredSource[] = [];
  tell();
  for (const { folder, place, files, unchanged } of plans) {
    const outcomes: KeepOutcome[] = [];
    for (const { file, bytes } of files) {
      signal.throwIfAborted();
      outcomes.push(...(await keepFile(place, file)));
      done.files++;
      done.bytes += bytes;
      tell();
    }
    const listed = new Set(folder.files.map((file) => nameInside(place.root, file.path)));
    for (const one of await deletedSince(place, listed, folder.within)) outcomes.push(one);
    sources.push(reportOf(folder, place, unchanged, outcomes));
  }
  return { to: target, sources };
}

const BESIDE_DATABASE = /^(.*)-(?:wal|shm|journal)$/s;

async function planOf(place: KeepPlace, all: readonly HistoryFile[]) {
  const files: { readonly file: HistoryFile; readonly bytes: number }[] = [];
  const unchanged = { files: 0, bytes: 0 };
  const listed = new Set(all.map((file) => file.path));
  for (const file of all) {
    place.signal.throwIfAborted();
    const database = BESIDE_DATABASE.exec(file.path)?.[1];
    if (database !== undefined && listed.has(database)) continue;
    const bytes = (await sizeOf(file.path)) + (await sizeOf(`${file.path}-wal`));
    if (await isCopied(place, file.path)) {
      unchanged.files++;
      unchanged.bytes += bytes;
    } else files.push({ file, bytes });
  }
  return { files, unchanged, bytes: sum(files.map(({ bytes }) => bytes)) };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}

function reportOf(
  folder: StoredFolder,
  place: KeepPlace,
  unchanged: FileCounts,
  outcomes: readonly KeepOutcome[],
): StoredSource {
  const counts = { copied: { files: 0, bytes: 0 }, unchanged: { ...unchanged } };
  const copied: UnchangedFile[] = [];
  const failed = [...folder.problems];
  for (const one of outcomes) {
    if (one.outcome === "failed") failed.push({ file: one.file, reason: one.reason });
    else if (one.outcome === "copied" || one.outcome === "unchanged") {
      counts[one.outcome].files++;
      counts[one.outcome].bytes += one.bytes;
    } else {
      copied.push(one);
      if (one.outcome !== "replaced") continue;
      counts.copied.files++;
      counts.copied.bytes += one.bytes;
    }
  }
  const to = path.join(place.to, place.name);
  return { kind: folder.kind, from: place.root, to, ...counts, kept: copied, failed };
}

/** Free disk space for other uses, in bytes. */
const ROOM_LEFT = 16 * 1024 * 1024;

async function expectRoom(to: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(to);
  const free = bavail * bsize;
  if (bytes === 0 || bytes + ROOM_LEFT <= free) return;
  throw new SourceUnavailableError(
    `There is too little room in ${to}: ${formatBytes(bytes)} are to be copied, and ${formatBytes(free)} are free.`,
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
