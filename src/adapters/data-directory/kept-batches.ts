import { KeptWhileSame } from "../../application/kept-while-same.js";
import type { RecordSelection } from "../../application/ports/record-stream.js";
import type { RecordBatch } from "../../domain/json/record-batch.js";
import { type FileIdentity, isUnchanged } from "../files/bytes/file-identity.js";
import type { FileIndex } from "./file-indexes.js";

/** How much memory goes into cached lists. */
const MAX_BYTES = 8 * 1024 * 1024;

/** About what a cached list takes besides its text. */
const OVERHEAD = 1_024;

/** Caches the lists that fit into one batch: polling a small session reads it from the disk once. */
export class KeptBatches {
  /** By the files as they were indexed, which may be later than they were looked up. */
  readonly #kept = new KeptWhileSame<FileIdentity, RecordBatch>({ maxSize: MAX_BYTES }, isUnchanged);

  /** @param read reads the selection from the file */
  async *read(
    { path, state: { identity }, size }: FileIndex,
    selection: RecordSelection,
    read: () => AsyncIterable<RecordBatch>,
  ): AsyncGenerator<RecordBatch, void> {
    const isWhole = selection.positions === undefined && selection.from === 0 && selection.to === size;
    const kept = isWhole ? this.#kept.get(path, identity) : undefined;
    if (kept !== undefined && kept.size === size) {
      yield kept;
      return;
    }
    let whole: RecordBatch | undefined;
    for await (const batch of read()) {
      if (isWhole && batch.size === size) whole = batch;
      yield batch;
    }
    // Only now is it known that the file was not written over meanwhile.
    if (whole !== undefined && whole.text.length <= MAX_BYTES)
      this.#kept.keep(path, identity, whole, OVERHEAD + whole.text.length);
  }
}
