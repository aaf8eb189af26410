import path from "node:path";
import {
  entriesIn,
  nameInside,
  readableOrNone,
  realRootOf,
  statContained,
  statEntry,
} from "../files/bytes/contained-files.js";
import { type FileIdentity, identify } from "../files/bytes/file-identities.js";

export interface OtlpLocation {
  readonly root: string;
  readonly file: string | undefined;
}

export interface OtlpFile {
  readonly path: string;
  /** Relative to the folder. */
  readonly name: string;
  readonly identity: FileIdentity;
}

const HISTORY = /\.(jsonl?|ndjson)$/i;

const LEVELS = 8;
const MOST_FOLDERS = 10_000;

export function locateOtlp(named: string): OtlpLocation {
  const full = readableOrNone(() => realRootOf(path.resolve(named))) ?? path.resolve(named);
  const folder = path.dirname(full);
  const isFile = statContained(folder, full)?.isFile() === true;
  return isFile ? { root: folder, file: full } : { root: full, file: undefined };
}

export function* otlpFiles(
  { root, file }: OtlpLocation,
  levels: number = LEVELS,
  mostFolders: number = MOST_FOLDERS,
): Generator<void, OtlpFile[]> {
  const files: OtlpFile[] = [];
  const add = (candidate: string) => {
    const stats = statEntry(root, candidate);
    if (stats?.isFile() !== true) return;
    files.push({ path: candidate, name: nameInside(root, candidate), identity: identify(stats) });
  };
  if (file !== undefined) add(file);
  let folders = file === undefined ? [root] : [];
  let left = mostFolders;
  for (let level = 0; level < levels && folders.length > 0; level++) {
    const inner: string[] = [];
    for (const folder of folders) {
      if (left-- <= 0) break;
      for (const entry of entriesIn(root, folder) ?? []) {
        if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
        const one = path.join(folder, entry.name);
        if (entry.isDirectory()) inner.push(one);
        else if (HISTORY.test(entry.name)) add(one);
      }
      yield;
    }
    folders = inner;
  }
  return files.sort((a, b) => b.identity.modifiedAt - a.identity.modifiedAt || (a.name < b.name ? -1 : 1));
}
