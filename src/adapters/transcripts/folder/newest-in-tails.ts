import { closeSync } from "node:fs";
import { instantOf, newestInstant } from "../../../domain/trace/instant.js";
import { openContained, realRootOf } from "../../files/bytes/contained-files.js";
import { readPart } from "../../files/bytes/line.js";
import type { TranscriptFormat } from "./format.js";
import { type PackedFiles, ZSTANDARD_FILES } from "./packed-files.js";

const TAILS = [4 * 1024, 256 * 1024] as const;

const memory = Buffer.allocUnsafeSlow(TAILS[1]);

interface Folder {
  readonly root: string;
  readonly realRoot: string | undefined;
  readonly packed: PackedFiles;
}

/** `modifiedAt` is in milliseconds since the epoch. */
export interface DatedFile {
  readonly path: string;
  readonly modifiedAt: number;
}

export function* newestOfEach(
  root: string,
  sessions: readonly (readonly DatedFile[])[],
  { instantMember, folder: { packed = ZSTANDARD_FILES } }: TranscriptFormat,
): Generator<void, Float64Array> {
  const realRoot = realRootOf(root);
  const newest = new Float64Array(sessions.length);
  for (const [i, files] of sessions.entries()) {
    newest[i] = newestInTails({ root, realRoot, packed }, files, instantMember) ?? Number.NaN;
    yield;
  }
  return newest;
}

/**
 * Newest instant in the ends of files, in milliseconds since the epoch. It searches text, not JSON: a record may begin long before the
 * end. It skips compressed files, and files that were written before the current result.
 * @param member the member of a record that holds its instant
 */
function newestInTails(folder: Folder, files: readonly DatedFile[], member: string): number | undefined {
  const pattern = new RegExp(`"${member}"\\s*:\\s*(?:"([^"\\\\]{1,40})"|(\\d{10,16})\\s*[,}])`, "g");
  let newest: number | undefined;
  for (const { path, modifiedAt } of [...files].sort((a, b) => b.modifiedAt - a.modifiedAt)) {
    if (newest !== undefined && modifiedAt <= newest) break;
    newest = newestInstant(newest, newestAtEnd(folder, path, pattern));
  }
  return newest;
}

function newestAtEnd({ root, realRoot, packed }: Folder, file: string, pattern: RegExp): number | undefined {
  if (packed.isPacked(file)) return undefined;
  let descriptor: number | undefined;
  try {
    const opened = openContained(root, file, realRoot);
    if (opened === undefined) return undefined;
    descriptor = opened.descriptor;
    const { size } = opened.identity;
    for (const length of TAILS) {
      const { bytes } = readPart(descriptor, Math.max(0, size - length), size, memory);
      const text = memory.toString("latin1", 0, bytes.length);
      const newest = newestInstant(
        ...Array.from(text.matchAll(pattern), ([, instant, number]) => instantOf(instant ?? Number(number))),
      );
      if (newest !== undefined || size <= length) return newest;
    }
    return undefined;
  } catch {
    return undefined; // Reading all of it reports the reason.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
