import type { FileHandle } from "node:fs/promises";
import { SourceChangedError } from "../../application/errors.js";
import type { ContainedFiles, OpenFile } from "./contained-files.js";
import { type FileIdentity, identify, isSameFile } from "./file-identity.js";

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
