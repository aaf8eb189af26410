import type { FileHandle } from "node:fs/promises";
import { CachedWhileSame } from "../../application/cached-while-same.js";
import { SourceChangedError } from "../../application/errors.js";
import type { ReadOptions, RecordSelection } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/threads/slices.js";
import { COMMA, LF } from "../../domain/json/json-bytes.js";
import type { RecordBatch } from "../../domain/json/record-batch.js";
import {
  canBeginBehind,
  isCompleteObject,
  isGap,
  isOutside,
  partAround,
} from "../files/bytes/complete-lines.js";
import { nameInside, openHandle } from "../files/bytes/contained-files.js";
import { type FileState, goesOnFromHandle } from "../files/bytes/file-growth.js";
import { type FileIdentity, identify, isUnchanged } from "../files/bytes/file-identities.js";
import type { FileIndex, RecordPlaces } from "./file-indexes.js";

const BATCH_BYTES = 256 * 1024;
const BATCH_RECORDS = 8_192;

/** Records that are closer than this are read at once, with the bytes between them. */
const GAP = 4 * 1024;

const SPACE = 0x20;

/**
 * Reads records in the requested order, with few reads per batch; the event loop only moves bytes. Only the check of the file's identity
 * after the last batch confirms that the data is correct.
 * @param root the folder that must contain the file
 * @throws SourceChangedError if the file was replaced, truncated or overwritten
 */
export async function* readRecords(
  root: string,
  { path, state, ...places }: FileIndex,
  selection: RecordSelection,
  { signal }: ReadOptions = {},
): AsyncGenerator<RecordBatch, void> {
  if (selection.from >= selection.to) return;
  const name = nameInside(root, path);
  const opened = await openHandle(root, path);
  if (opened === undefined) throw new SourceChangedError(`${name} is gone.`);
  const file = new IndexedFile(opened.handle, state, name);
  try {
    await file.check(opened.identity);
    for (let from = selection.from; from < selection.to; ) {
      signal?.throwIfAborted();
      const batch = planBatch(places, selection, from);
      yield await (batch.isRun ? readRun : gather)(file, batch);
      from += batch.starts.length;
    }
    await file.check(identify(await opened.handle.stat()));
  } finally {
    await opened.handle.close();
  }
}

class IndexedFile {
  readonly #handle: FileHandle;
  readonly #state: FileState;
  readonly #name: string;

  constructor(handle: FileHandle, state: FileState, name: string) {
    this.#handle = handle;
    this.#state = state;
    this.#name = name;
  }

  async check(now: FileIdentity): Promise<void> {
    if (!(await goesOnFromHandle(this.#state, this.#handle, now))) throw this.changed();
  }

  async readAround(from: number, to: number, memory: Buffer): Promise<void> {
    const part = partAround(from, to, this.#state.identity.size, memory);
    for (let done = 0; done < part.into.length; ) {
      const { bytesRead } = await this.#handle.read(
        part.into,
        done,
        part.into.length - done,
        part.from + done,
      );
      if (bytesRead === 0) throw this.changed();
      done += bytesRead;
    }
  }

  changed(): SourceChangedError {
    return new SourceChangedError(`${this.#name} was replaced, cut or written over.`);
  }
}

async function isRecordEnd(bytes: Uint8Array, from: number, to: number): Promise<boolean> {
  return isOutside(bytes[to]!) || runInSlices(isCompleteObject(bytes, from, to));
}

interface BatchPlan {
  readonly starts: Float64Array;
  readonly lengths: Float64Array;
  readonly isRun: boolean;
}

function planBatch(places: RecordPlaces, selection: RecordSelection, from: number): BatchPlan {
  const starts: number[] = [];
  const lengths: number[] = [];
  let isRun = true;
  let bytes = 0;
  let end = -1;
  for (let i = from; i < selection.to && starts.length < BATCH_RECORDS; i++) {
    const position = selection.positions?.[i] ?? i;
    const start = places.starts[position]!;
    const length = places.lengths[position]!;
    if (starts.length > 0 && bytes + length > BATCH_BYTES) break;
    if (starts.length > 0 && (start <= end || start - end > GAP)) isRun = false;
    starts.push(start);
    lengths.push(length);
    end = start + length;
    bytes += length;
  }
  return { starts: Float64Array.from(starts), lengths: Float64Array.from(lengths), isRun };
}

async function readRun(file: IndexedFile, { starts, lengths }: BatchPlan): Promise<RecordBatch> {
  const size = starts.length;
  const first = starts[0]!;
  const last = starts[size - 1]! + lengths[size - 1]!;
  const memory = Buffer.allocUnsafeSlow(last - first + 2);
  await file.readAround(first, last, memory);
  const lastStart = starts[size - 1]! - first + 1;
  let isComplete = canBeginBehind(memory[0]!) && (await isRecordEnd(memory, lastStart, memory.length - 1));
  const text = memory.subarray(1, -1);
  for (let i = 1; i < size; i++) {
    const gap = starts[i - 1]! + lengths[i - 1]! - first;
    const end = starts[i]! - first;
    isComplete &&= end === gap + 1 ? isOutside(text[gap]!) : isGap(text, gap, end);
    text[gap] = COMMA;
    if (end > gap + 1) text.fill(SPACE, gap + 1, end);
  }
  if (!isComplete || text.includes(LF)) throw file.changed();
  return {
    size,
    text,
    start: (i) => starts[i]! - first,
    end: (i) => starts[i]! + lengths[i]! - first,
  };
}

async function gather(file: IndexedFile, { starts, lengths }: BatchPlan): Promise<RecordBatch> {
  const size = starts.length;
  const targets = new Float64Array(size);
  let total = 0;
  for (let i = 0; i < size; i++) {
    targets[i] = total;
    total += lengths[i]! + 1;
  }
  const text = Buffer.allocUnsafeSlow(Math.max(0, total - 1)).fill(COMMA);
  const byPlace = Uint32Array.from(starts.keys()).sort((a, b) => starts[a]! - starts[b]!);
  let isComplete = true;
  for (let run = 0; run < size; ) {
    const first = starts[byPlace[run]!]!;
    let next = run;
    let end = first;
    while (next < size && starts[byPlace[next]!]! - end <= GAP) {
      end = starts[byPlace[next]!]! + lengths[byPlace[next]!]!;
      next++;
    }
    const bytes = Buffer.allocUnsafeSlow(end - first + 2);
    await file.readAround(first, end, bytes);
    for (; run < next; run++) {
      const record = byPlace[run]!;
      const from = starts[record]! - first + 1;
      const to = from + lengths[record]!;
      isComplete &&= canBeginBehind(bytes[from - 1]!);
      isComplete &&= isOutside(bytes[to]!) || (await isRecordEnd(bytes, from, to));
      text.set(bytes.subarray(from, to), targets[record]!);
    }
  }
  if (!isComplete || text.includes(LF)) throw file.changed();
  return { size, text, start: (i) => targets[i]!, end: (i) => targets[i]! + lengths[i]! };
}

const MAX_BYTES = 8 * 1024 * 1024;

const OVERHEAD = 1_024;

/** Caches the lists that fit into one batch: polling a small session reads it from the disk once. */
export class CachedBatches {
  /** The identity is that at the indexing, which may be later than the lookup. */
  readonly #cached = new CachedWhileSame<FileIdentity, RecordBatch>({ maxSize: MAX_BYTES }, isUnchanged);

  async *read(
    { path, state: { identity }, size }: FileIndex,
    selection: RecordSelection,
    read: () => AsyncIterable<RecordBatch>,
  ): AsyncGenerator<RecordBatch, void> {
    const isComplete = selection.positions === undefined && selection.from === 0 && selection.to === size;
    const cached = isComplete ? this.#cached.get(path, identity) : undefined;
    if (cached !== undefined && cached.size === size) {
      yield cached;
      return;
    }
    let complete: RecordBatch | undefined;
    for await (const batch of read()) {
      if (isComplete && batch.size === size) complete = batch;
      yield batch;
    }
    // Only this check confirms that the file was not overwritten meanwhile.
    if (complete !== undefined && complete.text.length <= MAX_BYTES)
      this.#cached.keep(path, identity, complete, OVERHEAD + complete.text.length);
  }
}
