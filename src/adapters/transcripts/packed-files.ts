import { closeSync } from "node:fs";
import { nameInside, openContained, readableOrNone, statEntry } from "../files/bytes/contained-files.js";
import { type FileIdentity, identify } from "../files/bytes/file-identities.js";
import { isPacked, unpack } from "../files/bytes/unpack.js";
import type { FolderLookup } from "./found-once.js";

/**
 * Files that are no files of lines by themselves: they are packed, or lie in another one, as the sessions of a database and the members
 * of an archive do. Whatever reads lines opens them by their paths, as if they lay on the disk; `open-lines.ts` writes their lines into
 * a file without a name.
 *
 * @example of a database: `{ isPacked: (file) => file.includes(".db/"), … }` for `/home/me/opencode.db/ses_1`
 */
export interface PackedFiles {
  isPacked(file: string): boolean;

  /**
   * Returns the identities of files' present content, in their order; `undefined` for a file that is gone, or that may not be examined.
   * Other content has another identity; `modifiedAt` is the instant of the last write.
   *
   * @param lookup of a list that requests the files of each tenant in turn. Default is a single request
   */
  identify(
    root: string,
    files: readonly string[],
    lookup?: FolderLookup,
  ): Generator<void, (FileIdentity | undefined)[]>;

  /**
   * Writes the lines of a file, each with its line feed.
   *
   * @param write takes bytes that are only valid until it returns. It throws where they exceed a bound
   * @param work takes work beside what is written: as many bytes as take as long. It throws likewise. Default is no call
   * @returns false where the file is gone
   * @throws SourceUnavailableError where it cannot be read: it says why
   */
  unpack(
    root: string,
    file: string,
    write: (bytes: Uint8Array) => void,
    work?: (bytes: number) => void,
  ): Generator<void, boolean>;
}

/** Files that are packed with Zstandard. What a format says of no packed files, it says of these. */
export const ZSTANDARD_FILES: PackedFiles = {
  isPacked,
  *identify(root, files) {
    const found: (FileIdentity | undefined)[] = [];
    for (const file of files) {
      const stats = readableOrNone(() => statEntry(root, file));
      found.push(stats?.isFile() ? identify(stats) : undefined);
      yield;
    }
    return found;
  },
  *unpack(root, file, write, work) {
    const opened = openContained(root, file);
    if (opened === undefined) return false;
    try {
      yield* unpack({ descriptor: opened.descriptor, name: nameInside(root, file) }, write, { work });
      return true;
    } finally {
      closeSync(opened.descriptor);
    }
  },
};
