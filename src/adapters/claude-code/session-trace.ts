import { breathe } from "../../application/slices.js";
import type {
  ReadOptions,
  RecordBatch,
  RecordSelection,
  TraceStream,
} from "../../application/ports/record-stream.js";
import { batchOfTexts } from "../../application/text-stream.js";
import type { TraceKeys } from "../../domain/trace-order.js";
import type { ContainedFiles } from "../jsonl/contained-files.js";
import { readRecords } from "../jsonl/read-records.js";
import { BatchPlan, type PlannedLine, placesOf } from "./batch-plan.js";
import { parseRecord } from "./read-record-at.js";
import { renderEnvelope } from "./render-envelope.js";
import { type ReadFile, warningsOf } from "./session-reader.js";
import { beginningOf, TraceColumns } from "./trace-columns.js";
import type { TraceRow } from "./trace-rows.js";

/** How many bytes of lines are parsed and rendered between two turns of the event loop. */
const PAUSE_BYTES = 64 * 1024;

const decoder = new TextDecoder();

/** Which session it is. */
export interface TraceOwner {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** The trace of a session, over all of its files: which envelopes there are; they are derived when they are read. */
export class SessionTrace {
  readonly keys: TraceKeys;
  readonly sources: readonly ReadFile[];
  readonly #owner: TraceOwner;
  readonly #fileOf: Uint16Array;
  readonly #rowOf: Uint32Array;
  /** The instant of traces whose records know none: they begin with the session. */
  readonly #begun: number;

  private constructor(owner: TraceOwner, sources: readonly ReadFile[], columns: TraceColumns) {
    this.#owner = owner;
    this.sources = sources;
    this.#fileOf = columns.fileOf;
    this.#rowOf = columns.rowOf;
    this.#begun = beginningOf(sources);
    const { size, traceOf, sequences, instants, traceIds } = columns;
    this.keys = {
      size,
      traceAt: (position) => traceOf[position]!,
      sequenceAt: (position) => sequences[position]!,
      instantAt: (position) => instants[position]!,
      traceId: (trace) => traceIds[trace]!,
    };
  }

  static async of(owner: TraceOwner, sources: readonly ReadFile[]): Promise<SessionTrace> {
    return new SessionTrace(owner, sources, await TraceColumns.of(owner.sessionId, sources));
  }

  stream(files: ContainedFiles): TraceStream {
    return {
      keys: this.keys,
      size: this.keys.size,
      warnings: warningsOf(this.sources),
      read: (selection, options) => this.#read(files, selection, options),
    };
  }

  #row(position: number): TraceRow {
    return this.sources[this.#fileOf[position]!]!.file.rowAt(this.#rowOf[position]!);
  }

  async *#read(
    files: ContainedFiles,
    { positions, from, to }: RecordSelection,
    options: ReadOptions = {},
  ): AsyncGenerator<RecordBatch, void> {
    for (let at = from; at < to; ) {
      const batch = new BatchPlan();
      for (; at < to && !batch.isFull; at++) {
        const position = positions?.[at] ?? at;
        batch.add(this.#fileOf[position]!, this.#row(position));
      }
      options.signal?.throwIfAborted();
      const texts: string[] = new Array(batch.size);
      for (const [source, lines] of batch.lines) {
        await this.#render(files, this.sources[source]!, lines, texts, options);
      }
      yield batchOfTexts(texts);
    }
  }

  /** Derives the envelopes of some lines of one file; each goes to its place in the batch. */
  async #render(
    files: ContainedFiles,
    source: ReadFile,
    lines: ReadonlyMap<number, PlannedLine>,
    texts: string[],
    options: ReadOptions,
  ): Promise<void> {
    const context = { ...this.#owner, source, begun: this.#begun };
    const { wanted, places } = placesOf(lines);
    let at = 0;
    let done = 0;
    const selection = { from: 0, to: wanted.length };
    for await (const batch of readRecords(files, source.path, source.identity, places, selection, options)) {
      for (let i = 0; i < batch.size; i++) {
        const bytes = batch.text.subarray(batch.start(i), batch.end(i));
        if (done >= PAUSE_BYTES) await breathe();
        done = (done >= PAUSE_BYTES ? 0 : done) + bytes.length;
        const record = await parseRecord(bytes);
        const text = () => decoder.decode(bytes);
        for (const { place, row } of wanted[at++]!.rows)
          texts[place] = renderEnvelope(context, row, record, text);
      }
    }
  }
}
