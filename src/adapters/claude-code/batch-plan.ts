import type { RecordPlaces } from "../jsonl/record-index.js";
import type { TraceRow } from "./trace-rows.js";

/** About how many bytes of lines go into one batch, and at most how many envelopes. */
const BATCH_BYTES = 256 * 1024;
const BATCH_ROWS = 1_024;

/** A line, and the envelopes wanted of it, each with its place in the batch. */
export interface PlannedLine {
  readonly start: number;
  readonly length: number;
  readonly rows: { readonly place: number; readonly row: TraceRow }[];
}

/** The envelopes of one batch, by file and line: each line is read and parsed once. */
export class BatchPlan {
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

/** Lines in the order of their file, and where they lie. */
export function placesOf(lines: ReadonlyMap<number, PlannedLine>): {
  readonly wanted: readonly PlannedLine[];
  readonly places: RecordPlaces;
} {
  const wanted = [...lines.values()].sort((a, b) => a.start - b.start);
  const places = {
    size: wanted.length,
    startAt: (i: number) => wanted[i]!.start,
    lengthAt: (i: number) => wanted[i]!.length,
    problems: [],
  };
  return { wanted, places };
}
