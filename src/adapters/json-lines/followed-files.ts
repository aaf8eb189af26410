import { LRUCache } from "lru-cache";
import { SourceChangedError } from "../../application/errors.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { ContainedFiles } from "./contained-files.js";
import { type FileIdentity, isSameFile, isUnchanged } from "./file-identity.js";
import type { FileEnds } from "./file-thread.js";
import type { JsonLine } from "./json-line.js";
import { readLines, type WantedOfLine } from "./read-lines.js";
import { DiskFile, PrefetchedFile, type ReadableFile } from "./readable-file.js";
import { SharedReadings } from "./shared-readings.js";

/**
 * What one derives from a file of JSON Lines, line by line. The state is kept with the file and goes on from where the file
 * ended; the view is what callers get, and must not change when the state goes on.
 */
export interface Digest<State, View> {
  begin(): State;
  add(state: State, line: JsonLine): void;
  /** @param tail the last line, where it has no line feed yet: part of the view, but not of the state */
  view(state: State, tail: JsonLine | undefined): View;
  /** About how many bytes of memory the state takes. */
  weigh(state: State): number;
  /**
   * Whether the end of the file says all that is wanted. A digest that has this is shown the first lines and the last ones,
   * then more of the last ones, and the whole file only where that did not suffice.
   */
  suffices?(beginning: State, end: State): boolean;
  /** How much of a line it wants. Default is all of a line that can be held, and nothing of a longer one. */
  readonly wanted?: WantedOfLine;
}

/** How much of a file's beginning is read, and how much of its end, before the whole file is. */
export const BEGINNING = 4 * 1024;
const ENDS = [16 * 1024, 256 * 1024] as const;
export const SHORT_END = ENDS[0];

/** What somebody has seen of a file that lies inside. */
export type SeenFile = FileIdentity | FileEnds;

/** A view of a file, and which file it is a view of. */
export interface FileView<View> {
  readonly view: View;
  readonly identity: FileIdentity;
}

interface Followed {
  readonly identity: FileIdentity;
  readonly state: unknown;
  readonly view: unknown;
  /** Where the next reading goes on: behind the last line that has an end. */
  readonly offset: number;
  readonly line: number;
  /** The bytes before `offset`: they are still there where the file only grew. */
  readonly seam: Uint8Array;
}

const SEAM = 64;

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
   * @param seen what the caller has seen of the file already: its identity, or its ends; `null` where there is no file
   */
  async read<State, View>(
    path: string,
    name: string,
    digest: Digest<State, View>,
    options?: ReadOptions,
    seen?: SeenFile | null,
  ): Promise<FileView<View> | undefined> {
    const key = `${name}:${path}`;
    const followed = await this.#readings.read(
      key,
      async (signal) => {
        const update = async (known?: SeenFile | null) =>
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

  async #open(path: string, seen: SeenFile | null | undefined): Promise<ReadableFile | undefined> {
    if (seen === null) return undefined;
    if (seen === undefined) return DiskFile.find(this.#files, path);
    const open = () => this.#files.open(path);
    return "identity" in seen ? new PrefetchedFile(seen, open) : new DiskFile(seen, open);
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
      this.#kept.set(key, followed, { size: OVERHEAD + digest.weigh(followed.state) });
      return followed;
    } finally {
      await file.close();
    }
  }
}

async function follow(
  file: ReadableFile,
  identity: FileIdentity,
  kept: Followed | undefined,
  digest: Digest<unknown, unknown>,
  signal: AbortSignal,
): Promise<Followed> {
  const grew =
    kept !== undefined && isSameFile(kept.identity, identity) && identity.size > kept.identity.size;
  if (grew && (await hasSeam(file, kept))) return readOn(file, identity, kept, digest, signal);
  if (digest.suffices !== undefined && identity.size > SHORT_END) {
    const beginning = await readOn(file, { ...identity, size: BEGINNING }, begin(digest, 0), digest, signal);
    for (const window of ENDS) {
      if (window >= identity.size) break;
      const start = await lineStart(file, identity.size - window, identity.size);
      const end = await readOn(file, identity, begin(digest, start), digest, signal);
      if (digest.suffices(beginning.state, end.state)) return end;
    }
  }
  return readOn(file, identity, begin(digest, 0), digest, signal);
}

function begin(
  digest: Digest<unknown, unknown>,
  offset: number,
): Pick<Followed, "state" | "offset" | "line"> {
  return { state: digest.begin(), offset, line: 1 };
}

async function readOn(
  file: ReadableFile,
  identity: FileIdentity,
  from: Pick<Followed, "state" | "offset" | "line">,
  digest: Digest<unknown, unknown>,
  signal: AbortSignal,
): Promise<Followed> {
  const { state } = from;
  const end = await readLines(
    file,
    { from: from.offset, to: identity.size, line: from.line },
    (line) => digest.add(state, line),
    digest.wanted,
    { signal },
  );
  return {
    identity,
    state,
    view: digest.view(state, end.tail),
    offset: end.offset,
    line: end.line,
    seam: await bytesBefore(file, end.offset),
  };
}

async function hasSeam(file: ReadableFile, kept: Followed): Promise<boolean> {
  return Buffer.compare(await bytesBefore(file, kept.offset), kept.seam) === 0;
}

async function bytesBefore(file: ReadableFile, offset: number): Promise<Uint8Array> {
  const length = Math.min(SEAM, offset);
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, offset - length);
  return bytes.subarray(0, bytesRead);
}

/** The start of the first line that begins behind `from`; `to` where none does. */
async function lineStart(file: ReadableFile, from: number, to: number): Promise<number> {
  const chunk = new Uint8Array(4 * 1024);
  for (let at = from; at < to; at += chunk.length) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, to - at), at);
    const found = chunk.subarray(0, bytesRead).indexOf(0x0a);
    if (found !== -1) return at + found + 1;
    if (bytesRead === 0) break;
  }
  return to;
}
