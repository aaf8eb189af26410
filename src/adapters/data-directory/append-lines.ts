import { constants, fstatSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { runInSlices } from "../../application/threads/slices.js";
import { LF } from "../../domain/json/json-bytes.js";
import { nameInside } from "../files/bytes/contained-files.js";
import { inFolder, isInside, OutsideFolderError, openIn } from "../files/bytes/contained-writes.js";
import { type LineRange, readLines } from "../files/bytes/read-lines.js";

const APPEND = constants.O_RDWR | constants.O_APPEND;
const LINE_END = Buffer.of(LF);

/**
 * Appends lines to a file with other writers. One append is one write, which no other write can interrupt; each line is stored once and
 * completely:
 * - A torn line at the end of the file is closed by a line feed, and never cut.
 * - A line that an incomplete write tore is written again, even if only its line feed is missing.
 * - A line after a torn one is not a record, because its writer was killed in between: it is written again, too.
 * @param checked remembers the file, so that its next append is cheaper
 * @throws OutsideFolderError for a link that leads out of `root`
 */
async function appendLines(root: string, file: string, lines: Buffer, checked: CheckedFiles): Promise<void> {
  const handle = await openToAppend(root, file);
  try {
    const stats = fstatSync(handle.fd); // `stat` of an open file does not wait for the disk
    if (!isSame(checked.get(file), stats)) await expectInside(root, file, handle);
    if (checked.size >= MOST_CHECKED) checked.delete(checked.keys().next().value!);
    checked.set(file, stats);
    let rest = await appendOnce(handle, lines, stats.size);
    while (rest.length > 0) rest = await appendOnce(handle, rest, fstatSync(handle.fd).size);
  } finally {
    await handle.close();
  }
}

function openToAppend(root: string, file: string): Promise<FileHandle> {
  return open(file, APPEND).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return inFolder(root, path.dirname(file), (folder) =>
      openIn(folder, path.basename(file), APPEND | constants.O_CREAT),
    );
  });
}

/** Files that were inside at their last check, by path. A file that leaves the folder later contains nothing of others. */
type CheckedFiles = Map<string, Stats>;
const MOST_CHECKED = 1_000;

async function expectInside(root: string, file: string, handle: FileHandle): Promise<void> {
  if (await isInside(root, file, handle)) return;
  throw new OutsideFolderError(`${nameInside(root, file)} leads out of the folder: nothing is written there`);
}

/** A file may get the number of a deleted one, but not its time of birth. Some file systems have no such time. */
function isSame(before: Stats | undefined, now: Stats): boolean {
  const isSameNumber = before?.ino === now.ino && before.dev === now.dev;
  return isSameNumber && now.birthtimeMs > 0 && before.birthtimeMs === now.birthtimeMs;
}

/** @returns the lines that have to be written once more */
async function appendOnce(handle: FileHandle, lines: Buffer, size: number): Promise<Buffer> {
  const closes = await endsInMidLine(handle, size);
  const text = closes ? Buffer.concat([LINE_END, lines]) : lines;
  // Not `appendFile`, which writes a long text in parts.
  const { bytesWritten } = await handle.write(text);
  if (bytesWritten === 0) throw new Error("The file takes no more bytes.");
  const stored = text.subarray(0, bytesWritten).lastIndexOf(LF) + 1;
  const rest = text.subarray(stored);
  const { size: to } = fstatSync(handle.fd);
  const isAlone = to === size + bytesWritten;
  if (isAlone || closes || stored === 0) return rest;
  const first = text.subarray(0, text.indexOf(LF) + 1);
  const isLost = await runInSlices(isBehindAnother(handle.fd, { from: size, to, line: 1 }, first));
  return isLost ? Buffer.concat([first, rest]) : rest;
}

async function endsInMidLine(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await handle.read(new Uint8Array(1), 0, 1, size - 1);
  return buffer[0] !== LF;
}

/** No record ends with another record: the longer line begins with a torn line. */
function* isBehindAnother(descriptor: number, part: LineRange, line: Buffer): Generator<void, boolean> {
  const text = line.subarray(0, -1);
  let exists = false;
  yield* readLines(descriptor, part, ({ bytes, from, to, problem }) => {
    if (problem !== undefined) exists = true; // too long to tell: a duplicate is better than a loss
    if (to - from <= text.length || exists) return;
    exists = text.equals(bytes.subarray(to - text.length, to));
  });
  return exists;
}

interface Queue {
  last: Promise<unknown>;
  pending: { text: string; written: Promise<void> } | undefined;
}

/** Preserves the order of the calls for each file. Requests during an append share the next one. */
export class AppendQueues {
  readonly #root: string;
  readonly #queues = new Map<string, Queue>();
  readonly #checked: CheckedFiles = new Map();

  constructor(root: string) {
    this.#root = root;
  }

  append(file: string, text: string): Promise<void> {
    const queue = this.#queue(file);
    if (queue.pending !== undefined) {
      queue.pending.text += text;
      return queue.pending.written;
    }
    const pending: { text: string; written: Promise<void> } = { text, written: Promise.resolve() };
    pending.written = this.run(file, () => {
      queue.pending = undefined;
      return this.appendNow(file, pending.text);
    });
    queue.pending = pending;
    return pending.written;
  }

  appendNow(file: string, text: string): Promise<void> {
    return appendLines(this.#root, file, Buffer.from(text), this.#checked);
  }

  run<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queue(file);
    queue.pending = undefined;
    const result = queue.last.then(work);
    queue.last = result.catch(() => undefined);
    const { last } = queue;
    void queue.last.then(() => {
      if (queue.last === last) this.#queues.delete(file);
    });
    return result;
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.last));
  }

  #queue(file: string): Queue {
    const existing = this.#queues.get(file);
    if (existing !== undefined) return existing;
    const queue: Queue = { last: Promise.resolve(), pending: undefined };
    this.#queues.set(file, queue);
    return queue;
  }
}
