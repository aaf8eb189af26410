import { createHash, type Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { jsonIn } from "../../domain/json/json.js";
import { type FileIdentity, identify } from "../files/bytes/file-identities.js";

const CHUNK = 1024 * 1024;

export interface CopiedBytes {
  readonly bytes: number;
  readonly sha256: string;
  /** Absent if the file has fewer bytes than requested. */
  readonly beginning?: string | undefined;
}

/**
 * @param write may use the piece until its promise settles
 * @param beginning number of first bytes to hash separately
 * @throws FileChangedError if the file ends before `bytes`
 */
export async function readBytes(
  file: FileHandle,
  bytes: number,
  { write, beginning, signal }: ReadBytes = {},
): Promise<CopiedBytes> {
  const hash = createHash("sha256");
  const memory = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(bytes, 1)));
  let begun = beginning === 0 ? digestOf(hash) : undefined;
  let at = 0;
  while (at < bytes) {
    signal?.throwIfAborted();
    const wanted = Math.min(memory.length, bytes - at);
    const most = beginning !== undefined && at < beginning ? Math.min(wanted, beginning - at) : wanted;
    const { bytesRead } = await file.read(memory, 0, most, at);
    if (bytesRead === 0) throw new FileChangedError();
    const piece = memory.subarray(0, bytesRead);
    hash.update(piece);
    await write?.(piece);
    at += bytesRead;
    if (at === beginning) begun = digestOf(hash);
  }
  return { bytes, sha256: hash.digest("hex"), beginning: begun };
}

interface ReadBytes {
  readonly write?: ((piece: Buffer) => Promise<unknown>) | undefined;
  readonly beginning?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

function digestOf(hash: Hash): string {
  return hash.copy().digest("hex");
}

export class FileChangedError extends Error {
  override readonly name = "FileChangedError";

  constructor() {
    super("it changed while it was copied, each time that it was tried");
  }
}

/** After this time without growth, a last line counts as complete. */
const SETTLED_MS = 10_000;

const LONGEST_END = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;

/**
 * Excludes a last line that is incomplete. A line without a line feed is complete if it is JSON, or if the file has not grown for a
 * while.
 */
export async function completeLinesOf(file: FileHandle): Promise<number> {
  const stats = await file.stat();
  const { size } = stats;
  if (size === 0 || Date.now() - stats.mtimeMs > SETTLED_MS) return size;
  const end = await lastLineFeed(file, size);
  if (end === size) return size;
  const rest = size - end;
  if (rest > LONGEST_END) return end;
  const { buffer } = await file.read(Buffer.alloc(rest), 0, rest, end);
  return jsonIn(buffer.toString()) === undefined ? end : size;
}

async function lastLineFeed(file: FileHandle, size: number): Promise<number> {
  const memory = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - memory.length);
    const { bytesRead } = await file.read(memory, 0, end - from, from);
    const at = memory.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (at !== -1) return from + at + 1;
    end = from;
  }
  return 0;
}

const TRIES = 5;
const TRY_AGAIN_AFTER_MS = 100;

/** Repeats the work after a pause if the file changes during it. */
export async function whileUnchanged<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FileChangedError) || tried === TRIES) throw error;
      await wait(TRY_AGAIN_AFTER_MS * tried, undefined, { signal });
    }
  }
}

/** @throws FileChangedError if the identity of the file differs */
export async function expectUnchanged(file: FileHandle, before: FileIdentity): Promise<void> {
  const now = identify(await file.stat());
  if (now.size !== before.size || now.modifiedAt !== before.modifiedAt) throw new FileChangedError();
}
