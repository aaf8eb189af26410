import { type FileIdentity, isSameFile } from "./file-identity.js";
import type { FileEnds } from "./file-thread.js";
import type { JsonLine } from "./json-line.js";
import { type LineEnd, readLines, splitLines, type WantedOfLine } from "./read-lines.js";
import type { ReadableFile } from "./readable-file.js";

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

/** Too much to digest in one go: they are read like a file. */
const LONG_ENDS = [1024 * 1024, 4 * 1024 * 1024] as const;

const LF = 0x0a;

/** How far a file was followed, and what that gave. */
export interface Followed {
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

/** Brings what is kept of a file up to date: reads on where it only grew, and anew otherwise. */
export async function follow(
  file: ReadableFile,
  identity: FileIdentity,
  kept: Followed | undefined,
  digest: Digest<unknown, unknown>,
  signal: AbortSignal,
): Promise<Followed> {
  const grew =
    kept !== undefined && isSameFile(kept.identity, identity) && identity.size > kept.identity.size;
  if (grew && (await hasSeam(file, kept))) return readOn(file, identity, kept, digest, signal);
  for (const length of digest.suffices === undefined ? [] : ENDS) {
    if (BEGINNING + length >= identity.size) break;
    const ends = {
      identity,
      beginning: await bytesOf(file, 0, BEGINNING),
      end: await bytesOf(file, identity.size - length, identity.size),
    };
    const followed = followEnds(ends, digest);
    if (followed !== undefined) return followed;
  }
  for (const length of digest.suffices === undefined ? [] : LONG_ENDS) {
    if (BEGINNING + length >= identity.size) break;
    const head = digestBytes(await bytesOf(file, 0, BEGINNING), 0, identity, digest);
    const start = await lineStart(file, identity.size - length);
    const tail = await readOn(file, identity, begin(digest, start), digest, signal);
    if (digest.suffices?.(head.state, tail.state)) return tail;
  }
  return readOn(file, identity, begin(digest, 0), digest, signal);
}

/** What the ends of a file say, where they are the whole file or say all that is wanted. */
export function followEnds(
  { identity, beginning, end }: FileEnds,
  digest: Digest<unknown, unknown>,
): Followed | undefined {
  const { size } = identity;
  if (beginning.length === size) return digestBytes(beginning, 0, identity, digest);
  if (digest.suffices === undefined) return undefined;
  const head = digestBytes(beginning, 0, identity, digest);
  const lineFeed = end.indexOf(LF);
  const tail = digestBytes(
    lineFeed === -1 ? new Uint8Array(0) : end.subarray(lineFeed + 1),
    size - end.length + lineFeed + 1,
    identity,
    digest,
  );
  return digest.suffices(head.state, tail.state) ? tail : undefined;
}

function digestBytes(
  bytes: Uint8Array,
  from: number,
  identity: FileIdentity,
  digest: Digest<unknown, unknown>,
): Followed {
  const state = digest.begin();
  const end = splitLines(bytes, from, (line) => digest.add(state, line), digest.wanted);
  const behind = end.offset - from;
  return followedTo(end, identity, state, digest, bytes.slice(Math.max(0, behind - SEAM), behind));
}

function followedTo(
  { offset, line, tail }: LineEnd,
  identity: FileIdentity,
  state: unknown,
  digest: Digest<unknown, unknown>,
  seam: Uint8Array,
): Followed {
  return { identity, state, view: digest.view(state, tail), offset, line, seam };
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
  // The tail is only lent: it has to be seen before anything else is read.
  const followed = followedTo(end, identity, state, digest, new Uint8Array(0));
  return { ...followed, seam: await bytesOf(file, Math.max(0, end.offset - SEAM), end.offset) };
}

/** The start of the first line that begins behind `from`, where one does within a stretch; else `from` itself. */
async function lineStart(file: ReadableFile, from: number): Promise<number> {
  const lineFeed = (await bytesOf(file, from, from + ENDS[1])).indexOf(LF);
  return from + lineFeed + 1;
}

async function hasSeam(file: ReadableFile, { offset, seam }: Followed): Promise<boolean> {
  return Buffer.compare(await bytesOf(file, offset - seam.length, offset), seam) === 0;
}

/** The bytes of a part of a file, as far as they are there. */
async function bytesOf(file: ReadableFile, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(to - from);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  return bytes.subarray(0, bytesRead);
}
