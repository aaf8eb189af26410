import { LRUCache } from "lru-cache";
import { SourceChangedError } from "../../application/errors.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { ContainedFiles } from "./contained-files.js";
import { type FileIdentity, isUnchanged } from "./file-identity.js";
import type { FileEnds } from "./file-thread.js";
import { type Digest, type Followed, follow, followEnds } from "./follow-file.js";
import { DiskFile, type ReadableFile } from "./readable-file.js";
import { SharedReadings } from "./shared-readings.js";

/** A view of a file, and which file it is a view of. */
export interface FileView<View> {
  readonly view: View;
  readonly identity: FileIdentity;
}

/** What a followed file takes besides its digest's state. */
const OVERHEAD = 512;

/**
 * Keeps what was derived from files, and reads only what was added since. A file that shrank, was replaced or was written
 * over is read anew. Callers that ask for the same thing at the same time share one reading.
 */
export class FollowedFiles {
  readonly #files: ContainedFiles;
  readonly #kept: LRUCache<string, Followed>;
  readonly #readings = new SharedReadings<Followed | undefined>();

  /** @param maxBytes about how much memory may go into what is kept */
  constructor(files: ContainedFiles, maxBytes: number) {
    this.#files = files;
    this.#kept = new LRUCache({ maxSize: Math.max(1, maxBytes) });
  }

  /**
   * The digest of a file as it is now; `undefined` where there is no such file.
   *
   * @param name tells the digests of one file apart
   * @param seen what the caller has seen of the file already; `null` where there is no file
   */
  async read<State, View>(
    path: string,
    name: string,
    digest: Digest<State, View>,
    options?: ReadOptions,
    seen?: FileIdentity | null,
  ): Promise<FileView<View> | undefined> {
    const key = `${name}:${path}`;
    const followed = await this.#readings.read(
      key,
      async (signal) => {
        const update = async (known?: FileIdentity | null) =>
          this.#update(key, await this.#open(path, known), digest as Digest<unknown, unknown>, signal);
        try {
          return await update(seen);
        } catch (error) {
          if (!(error instanceof SourceChangedError)) throw error;
          return update(); // it was replaced just now: what is there instead is as good
        }
      },
      options,
    );
    return followed && { view: followed.view as View, identity: followed.identity };
  }

  /**
   * The digest of a file whose ends were read already, where these say all that is wanted and nothing older is kept; otherwise
   * `undefined`, and {@link read} tells. It asks the file system nothing, and waits for nothing.
   */
  readEnds<State, View>(
    path: string,
    name: string,
    digest: Digest<State, View>,
    ends: FileEnds,
  ): FileView<View> | undefined {
    const key = `${name}:${path}`;
    if (this.#kept.has(key)) return undefined;
    const followed = followEnds(ends, digest as Digest<unknown, unknown>);
    if (followed === undefined) return undefined;
    this.#keep(key, followed, digest as Digest<unknown, unknown>);
    return { view: followed.view as View, identity: followed.identity };
  }

  async #open(path: string, seen: FileIdentity | null | undefined): Promise<ReadableFile | undefined> {
    if (seen === null) return undefined;
    if (seen === undefined) return DiskFile.find(this.#files, path);
    return new DiskFile(seen, () => this.#files.open(path));
  }

  async #update(
    key: string,
    file: ReadableFile | undefined,
    digest: Digest<unknown, unknown>,
    signal: AbortSignal,
  ): Promise<Followed | undefined> {
    const kept = this.#kept.get(key);
    if (file === undefined) {
      this.#kept.delete(key);
      return undefined;
    }
    const { identity } = file;
    if (kept !== undefined && isUnchanged(kept.identity, identity)) return kept;
    // The state goes on in place: a reading that fails half-way must not leave it behind as if it were whole.
    this.#kept.delete(key);
    try {
      const followed = await follow(file, identity, kept, digest, signal);
      this.#keep(key, followed, digest);
      return followed;
    } finally {
      await file.close();
    }
  }

  #keep(key: string, followed: Followed, digest: Digest<unknown, unknown>): void {
    this.#kept.set(key, followed, { size: OVERHEAD + digest.weigh(followed.state) });
  }
}
