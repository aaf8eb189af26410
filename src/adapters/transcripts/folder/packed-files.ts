import { closeSync } from "node:fs";
import { nameInside, openContained, readableOrNone, statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify } from "../../files/bytes/file-identities.js";
import { isPacked, unpack } from "../../files/bytes/unpack.js";
import type { FolderLookup } from "./discovered-once.js";

/**
 * Files whose lines are packed, or inside a database or an archive. Readers open them by their paths; `open-lines.ts` unpacks them.
 * @example of a database: `{ isPacked: (file) => file.includes(".db/"), … }` for `/home/me/opencode.db/ses_1`
 */
export interface PackedFiles {
  isPacked(file: string): boolean;

  /**
   * Identities of current content, in order; `undefined` for an absent or inaccessible file. Other content has another identity;
   * `modifiedAt` is the last write.
   * @param lookup of a list with one request per tenant. Default is a single request
   */
  identify(
    root: string,
    files: readonly string[],
    lookup?: FolderLookup,
  ): Generator<void, (FileIdentity | undefined)[]>;

  /**
   * Writes the lines of a file, each with its line feed.
   * @param write its bytes are valid until it returns. It throws if they exceed a bound
   * @param work reports other work, as the number of bytes that take as long; it throws likewise. Default is no call
   * @returns false if the file is gone
   * @throws SourceUnavailableError with the reason if it cannot be read
   */
  unpack(
    root: string,
    file: string,
    write: (bytes: Uint8Array) => void,
    work?: (bytes: number) => void,
  ): Generator<void, boolean>;
}

export const ZSTANDARD_FILES: PackedFiles = {
  isPacked,
  *identify(root, files) {
    const identities: (FileIdentity | undefined)[] = [];
    for (const file of files) {
      const stats = readableOrNone(() => statEntry(root, file));
      identities.push(stats?.isFile() ? identify(stats) : undefined);
      yield;
    }
    return identities;
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
