import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { nameInside, type OpenFile, openContained, statEntry } from "../files/bytes/contained-files.js";
import { type FileIdentity, identify, isUnchanged } from "../files/bytes/file-identities.js";
import { isPacked, unpack } from "../files/bytes/unpack.js";

/** A file of lines that was opened: as it is, or unpacked. Its descriptor is only valid until it is closed. */
export interface OpenLines extends OpenFile {
  close(): void;
}

/**
 * Opens a file of lines in a thread. A packed one is unpacked into a file that nobody else can open, and that is gone with the
 * thread; it is kept for a while, and identified by the packed file.
 */
export function* openLines(root: string, file: string): Generator<void, OpenLines | undefined> {
  const opened = openContained(root, file);
  if (opened === undefined) return undefined;
  if (!isPacked(file)) return { ...opened, close: () => closeSync(opened.descriptor) };
  try {
    const known = unpackedFiles.get(file);
    if (known !== undefined && isUnchanged(known.packed, opened.identity)) return known.open(root, file);
    const unpacked = yield* UnpackedFile.of(opened, nameInside(root, file));
    unpackedFiles.set(file, unpacked);
    return unpacked.open(root, file);
  } finally {
    closeSync(opened.descriptor);
  }
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

  static *of({ descriptor, identity }: OpenFile, name: string): Generator<void, UnpackedFile> {
    const target = openNameless();
    let size = 0;
    try {
      yield* unpack({ descriptor, name }, (bytes) => {
        for (let at = 0; at < bytes.length; ) at += writeSync(target, bytes, at);
        size += bytes.length;
      });
    } catch (error) {
      closeSync(target);
      throw error;
    }
    return new UnpackedFile(identity, target, size);
  }

  open(root: string, file: string): OpenLines {
    this.#readers++;
    return {
      descriptor: this.#descriptor,
      identity: { ...this.packed, size: this.#size },
      current: () => {
        const stats = statEntry(root, file);
        return { ...(stats === undefined ? GONE : identify(stats)), size: this.#size };
      },
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

const GONE: FileIdentity = { device: -1, inode: -1, size: 0, modifiedAt: 0, changedAt: 0 };

const unpackedFiles = new LRUCache<string, UnpackedFile>({
  max: 8,
  dispose: (unpacked) => unpacked.forget(),
});

/** A new file without a name: only who has its descriptor reads it, and its space is free when that is closed. */
function openNameless(): number {
  const folder = mkdtempSync(path.join(tmpdir(), "agent-inspector-unpacked-"));
  try {
    return openSync(path.join(folder, "lines"), "wx+", 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
