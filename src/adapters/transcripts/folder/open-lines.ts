import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { ReadingLimitError, SourceUnavailableError } from "../../../application/errors.js";
import { nameInside, type OpenFile, openContained } from "../../files/bytes/contained-files.js";
import { type FileIdentity, isUnchanged } from "../../files/bytes/file-identities.js";
import {
  type ExtraWork,
  FILE_EXTRA,
  LIST_SPENT,
  ReadingBudget,
  TIMES_PACKED,
} from "../../files/bytes/reading-budget.js";
import { containerOf } from "./file-lookups.js";
import { type PackedFiles, ZSTANDARD_FILES } from "./packed-files.js";

/** An open file of lines, unpacked if necessary. Its descriptor is valid until it is closed. */
export interface OpenLines extends OpenFile {
  /** True if a change may replace the content, instead of appending to it. */
  readonly isUnpacked: boolean;
  close(): void;
}

export interface OpeningOptions {
  /** Opens this unpacked content, even if the packed file changed since. Default is the current content. */
  readonly wanted?: FileIdentity | undefined;
  readonly ofList?: ExtraWork | undefined;
}

/**
 * Unpacks a packed file into a nameless file, which only this process can open, and which disappears with the thread. It is cached for a
 * while under the packed file's identity.
 * @throws ReadingLimitError if a packed file unpacks to more than its size explains
 * @throws SourceUnavailableError if it is left for the next list
 */
export function* openLines(
  root: string,
  file: string,
  packed: PackedFiles = ZSTANDARD_FILES,
  { wanted, ofList }: OpeningOptions = {},
): Generator<void, OpenLines | undefined> {
  if (!packed.isPacked(file)) {
    const opened = openContained(root, file);
    return opened && { ...opened, isUnpacked: false, close: () => closeSync(opened.descriptor) };
  }
  const wantedKey = wanted && contentKey(file, wanted);
  const retained = wantedKey && unpackedFiles.get(unpackedAs.get(wantedKey) ?? wantedKey);
  if (retained) return retained.open();
  const [identity] = yield* packed.identify(root, [file]);
  if (identity === undefined) return undefined;
  const key = contentKey(file, identity);
  if (wantedKey !== undefined && wantedKey !== key) unpackedAs.set(wantedKey, key);
  const existing = unpackedFiles.get(key);
  if (existing !== undefined && isUnchanged(existing.packed, identity)) return existing.open();
  const unpacked = yield* UnpackedFile.of(root, file, packed, identity, ofList);
  if (unpacked === undefined) return undefined;
  unpackedFiles.set(key, unpacked);
  return unpacked.open();
}

class UnpackedFile {
  readonly packed: FileIdentity;
  readonly #descriptor: number;
  readonly #size: number;
  #readers = 0;
  #isForgotten = false;

  private constructor(packed: FileIdentity, descriptor: number, size: number) {
    this.packed = packed;
    this.#descriptor = descriptor;
    this.#size = size;
  }

  static *of(
    root: string,
    file: string,
    packed: PackedFiles,
    identity: FileIdentity,
    ofList: ExtraWork | undefined,
  ): Generator<void, UnpackedFile | undefined> {
    const target = openNameless();
    const budget = new ReadingBudget(FILE_EXTRA + (containerOf(root, file)?.size ?? 0));
    let size = 0;
    let done = 0;
    const work = (bytes: number) => {
      done += bytes;
      if (budget.allows(ReadingBudget.ofUnpacking(done, identity.size), ofList)) return;
      throw budget.isExceeded ? tooLarge(root, file) : leftForNextList(root, file);
    };
    const write = (bytes: Uint8Array) => {
      work(bytes.length);
      for (let at = 0; at < bytes.length; ) at += writeSync(target, bytes, at, bytes.length - at, size + at);
      size += bytes.length;
    };
    let isThere = false;
    try {
      isThere = yield* packed.unpack(root, file, write, work);
    } finally {
      if (!isThere) closeSync(target);
    }
    return isThere ? new UnpackedFile(identity, target, size) : undefined;
  }

  open(): OpenLines {
    this.#readers++;
    const identity = { ...this.packed, size: this.#size };
    return {
      descriptor: this.#descriptor,
      identity,
      current: () => identity,
      isUnpacked: true,
      close: () => {
        this.#readers--;
        this.#closeUnused();
      },
    };
  }

  forget(): void {
    this.#isForgotten = true;
    this.#closeUnused();
  }

  #closeUnused(): void {
    if (this.#isForgotten && this.#readers === 0) closeSync(this.#descriptor);
  }
}

function tooLarge(root: string, file: string): ReadingLimitError {
  return new ReadingLimitError(
    `${nameInside(root, file)} is not read: it unpacks to more than ${TIMES_PACKED} times its size and ${FILE_EXTRA / 2 ** 20} MiB. ` +
      "Unpack it to read it, or move it out of the folder.",
  );
}

function leftForNextList(root: string, file: string): SourceUnavailableError {
  return new SourceUnavailableError(`${nameInside(root, file)} is not read yet: ${LIST_SPENT}`);
}

const unpackedFiles = new LRUCache<string, UnpackedFile>({
  max: 8,
  dispose: (unpacked) => unpacked.forget(),
});

const unpackedAs = new LRUCache<string, string>({ max: 100 });

function contentKey(file: string, { device, inode, modifiedAt, changedAt }: FileIdentity): string {
  return [file, device, inode, modifiedAt, changedAt].join("\0");
}

/** Without a name, only holders of the descriptor can read it, and closing it frees its space. */
function openNameless(): number {
  const folder = mkdtempSync(path.join(tmpdir(), "agent-inspector-unpacked-"));
  try {
    return openSync(path.join(folder, "lines"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
