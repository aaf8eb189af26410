import { breathe } from "../../application/breathe.js";
import type {
  ReadOptions,
  RecordBatch,
  RecordSelection,
  TraceStream,
} from "../../application/ports/record-stream.js";
import { batchOfTexts } from "../../application/text-stream.js";
import type { TraceKeys } from "../../domain/trace-order.js";
import type { ContainedFiles } from "../json-lines/contained-files.js";
import { readRecords } from "../json-lines/read-records.js";
import { parseRecord } from "./read-record-at.js";
import { renderEnvelope } from "./render-envelope.js";
import { agentsWithLines, type ReadFile, warningsOf } from "./session-reader.js";
import { RowKind, type TraceRow } from "./trace-rows.js";

/** About how many bytes of lines go into one batch, and at most how many envelopes. */
const BATCH_BYTES = 256 * 1024;
const BATCH_ROWS = 1_024;

/** How many bytes of lines are parsed and rendered between two turns of the event loop. */
const PAUSE_BYTES = 64 * 1024;

const decoder = new TextDecoder();

/** Which session it is. */
export interface TraceOwner {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** How many envelopes are looked at between two turns of the event loop. */
const ROWS_PER_PAUSE = 1_024;

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
    const columns = new TraceColumns(sources.reduce((sum, { file }) => sum + file.size, 0));
    const withLines = agentsWithLines(sources);
    const begun = beginningOf(sources);
    for (const [at, { file, agentId }] of sources.entries()) {
      const firstTrace = columns.traceIds.length;
      columns.traceIds.push(...file.threads.map((thread) => thread.agentId || agentId || owner.sessionId));
      for (let i = 0; i < file.size; i++) {
        const row = file.rowAt(i);
        const knowsNone = file.threads[row.thread]!.firstInstant === undefined;
        const instant = knowsNone ? begun : row.instant;
        if (isShown(row, file.threads, withLines)) columns.add(at, i, firstTrace + row.thread, row, instant);
        if (i % ROWS_PER_PAUSE === ROWS_PER_PAUSE - 1) await breathe();
      }
    }
    return new SessionTrace(owner, sources, columns);
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
    const wanted = [...lines.values()].sort((a, b) => a.start - b.start);
    const places = {
      size: wanted.length,
      startAt: (i: number) => wanted[i]!.start,
      lengthAt: (i: number) => wanted[i]!.length,
      problems: [],
    };
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

/** The oldest instant that any file knows; where none does, when the first one was written. */
function beginningOf(sources: readonly ReadFile[]): number {
  const known = sources.flatMap(({ file }) =>
    file.threads.map(({ firstInstant }) => firstInstant ?? Infinity),
  );
  const oldest = known.reduce((a, b) => Math.min(a, b), Infinity);
  return Number.isFinite(oldest) ? oldest : Math.floor(sources[0]?.identity.modifiedAt ?? 0);
}

/** What the merge has to know of each envelope, and where each is found again. */
class TraceColumns {
  readonly fileOf: Uint16Array;
  readonly rowOf: Uint32Array;
  readonly traceOf: Uint32Array;
  readonly sequences: Uint32Array;
  readonly instants: Float64Array;
  readonly traceIds: string[] = [];
  size = 0;

  constructor(most: number) {
    this.fileOf = new Uint16Array(most);
    this.rowOf = new Uint32Array(most);
    this.traceOf = new Uint32Array(most);
    this.sequences = new Uint32Array(most);
    this.instants = new Float64Array(most);
  }

  add(file: number, at: number, trace: number, row: TraceRow, instant: number): void {
    this.fileOf[this.size] = file;
    this.rowOf[this.size] = at;
    this.traceOf[this.size] = trace;
    this.sequences[this.size] = row.sequence;
    this.instants[this.size++] = instant;
  }
}

/** Of the two readings of a progress record one is shown: the sub-agent's own where nothing else tells of its work. */
function isShown(
  row: TraceRow,
  threads: ReadFile["file"]["threads"],
  withLines: ReadonlySet<string>,
): boolean {
  const thread = threads[row.thread]!;
  if (thread.isProgress) return !withLines.has(thread.agentId);
  if (row.kind !== RowKind.record || row.detail === 0) return true;
  return withLines.has(threads[row.detail - 1]!.agentId);
}

interface PlannedLine {
  readonly start: number;
  readonly length: number;
  readonly rows: { readonly place: number; readonly row: TraceRow }[];
}

/** The envelopes of one batch, by file and line: each line is read and parsed once. */
class BatchPlan {
  readonly lines = new Map<number, Map<number, PlannedLine>>();
  size = 0;
  #bytes = 0;

  get isFull(): boolean {
    return this.size >= BATCH_ROWS || this.#bytes >= BATCH_BYTES;
  }

  add(source: number, row: TraceRow): void {
    const ofFile = this.lines.get(source) ?? new Map<number, PlannedLine>();
    this.lines.set(source, ofFile);
    const planned = ofFile.get(row.start) ?? { start: row.start, length: row.length, rows: [] };
    if (planned.rows.length === 0) {
      ofFile.set(row.start, planned);
      this.#bytes += row.length;
    }
    planned.rows.push({ place: this.size++, row });
  }
}
