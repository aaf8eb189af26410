import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { SpanStore } from "../../application/ports/span-store.js";

export interface SpanFilesOptions {
  readonly directory: string;
  /** A file that would exceed it is followed by another. A request is never split. */
  readonly maxFileBytes: number;
}

/**
 * Appends spans to files as the Collector's file exporter: `spans-<begun, in UTC>-<random>.jsonl`. Each process has its own files, so
 * several may share a folder. Data is not forced onto the disk.
 */
export class SpanFiles implements SpanStore {
  readonly #directory: string;
  readonly #maxFileBytes: number;
  #file: { readonly handle: FileHandle; size: number } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ directory, maxFileBytes }: SpanFilesOptions) {
    this.#directory = directory;
    this.#maxFileBytes = maxFileBytes;
  }

  append(lines: Uint8Array): Promise<void> {
    return this.#inTurn(() => this.#append(lines));
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#closeFile());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined); // The caller gets the error; the next append may succeed.
    return result;
  }

  async #append(lines: Uint8Array): Promise<void> {
    const file = await this.#fileFor(lines.length);
    try {
      await writeAll(file.handle, lines);
      file.size += lines.length;
    } catch (error) {
      await this.#abandonPart(file);
      throw error;
    }
  }

  /** Removes a partial request, so that a repetition is no duplicate, and abandons the file. */
  async #abandonPart({
    handle,
    size,
  }: {
    readonly handle: FileHandle;
    readonly size: number;
  }): Promise<void> {
    try {
      await handle.truncate(size);
    } finally {
      await this.#closeFile();
    }
  }

  async #fileFor(bytes: number): Promise<{ readonly handle: FileHandle; size: number }> {
    const file = this.#file;
    if (file !== undefined) {
      const isFull = file.size + bytes > this.#maxFileBytes;
      const isThere = (await file.handle.stat()).nlink > 0;
      if (isThere && !isFull) return file;
      await this.#closeFile();
    }
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const handle = await open(path.join(this.#directory, newName()), "ax", 0o600);
    this.#file = { handle, size: 0 };
    return this.#file;
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.handle.close();
  }
}

/** A write may stop short. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at);
    if (bytesWritten === 0) throw new Error("The file takes no more bytes.");
    at += bytesWritten;
  }
}

/** Names sort by time. */
function newName(): string {
  const instant = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `spans-${instant}-${randomBytes(4).toString("hex")}.jsonl`;
}
