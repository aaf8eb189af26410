import type { RecordedRow } from "../recorder/trace-rows.js";

const BATCH_BYTES = 256 * 1024;
const BATCH_ROWS = 1_024;

interface PlannedLine {
  readonly start: number;
  readonly length: number;
  readonly line: number;
  readonly rows: { readonly place: number; readonly row: RecordedRow }[];
}

function newLine({ start, length, line }: RecordedRow): PlannedLine {
  return { start, length, line, rows: [] };
}

export class EnvelopeBatchPlan {
  readonly lines = new Map<number, Map<number, PlannedLine>>();
  size = 0;
  #bytes = 0;

  /** Rows of a line in this batch always fit: otherwise the line would be read again for each row. */
  hasRoomFor(file: number, { start }: RecordedRow): boolean {
    if (this.size >= BATCH_ROWS) return false;
    return this.#bytes < BATCH_BYTES || this.lines.get(file)?.has(start) === true;
  }

  add(file: number, row: RecordedRow): void {
    const ofFile = this.lines.get(file) ?? new Map<number, PlannedLine>();
    this.lines.set(file, ofFile);
    const planned = ofFile.get(row.start) ?? newLine(row);
    if (planned.rows.length === 0) {
      ofFile.set(row.start, planned);
      this.#bytes += row.length;
    }
    planned.rows.push({ place: this.size++, row });
  }
}
