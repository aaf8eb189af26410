import type { FileHandle } from "node:fs/promises";
import { SourceChangedError } from "../../application/errors.js";
import type { ContainedFiles, OpenFile } from "./contained-files.js";
import { type FileIdentity, identify, isSameFile } from "./file-identity.js";
import type { FileEnds } from "./file-thread.js";

/** A file as its readers see it: as it was when it was looked at. It is opened when its bytes are first wanted. */
export interface ReadableFile {
  readonly identity: FileIdentity;
  read(
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

/** A file that is read from the disk. */
export class DiskFile implements ReadableFile {
  readonly identity: FileIdentity;
  readonly #open: () => Promise<OpenFile | undefined>;
  #handle: FileHandle | undefined;

  constructor(identity: FileIdentity, open: () => Promise<OpenFile | undefined>) {
    this.identity = identity;
    this.#open = open;
  }

  static async find(files: ContainedFiles, path: string): Promise<DiskFile | undefined> {
    const stats = await files.find(path);
    return stats?.isFile() ? new DiskFile(identify(stats), () => files.open(path)) : undefined;
  }

  async read(into: Uint8Array, offset: number, length: number, position: number) {
    this.#handle ??= await this.#openSame();
    return this.#handle.read(into, offset, length, position);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #openSame(): Promise<FileHandle> {
    const opened = await this.#open();
    if (opened === undefined) throw new SourceChangedError("A file is gone.");
    if (isSameFile(opened.identity, this.identity)) return opened.handle;
    await opened.handle.close();
    throw new SourceChangedError("A file was replaced while it was being read.");
  }
}

/** A file whose ends were read already: the disk is asked only for what lies between them. */
export class PrefetchedFile implements ReadableFile {
  readonly #ends: FileEnds;
  readonly #disk: DiskFile;

  constructor(ends: FileEnds, open: () => Promise<OpenFile | undefined>) {
    this.#ends = ends;
    this.#disk = new DiskFile(ends.identity, open);
  }

  get identity(): FileIdentity {
    return this.#ends.identity;
  }

  async read(into: Uint8Array, offset: number, length: number, position: number) {
    const { beginning, end } = this.#ends;
    const endFrom = this.identity.size - end.length;
    for (const [part, from] of [
      [beginning, 0],
      [end, endFrom],
    ] as const) {
      const at = position - from;
      if (at < 0 || at + length > part.length) continue;
      into.set(part.subarray(at, at + length), offset);
      return { bytesRead: length };
    }
    return this.#disk.read(into, offset, length, position);
  }

  close(): Promise<void> {
    return this.#disk.close();
  }
}
