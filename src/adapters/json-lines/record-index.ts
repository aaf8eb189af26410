import type { RecordWarning } from "../../application/ports/record-stream.js";
import type { Digest } from "./follow-file.js";
import type { JsonLine } from "./json-line.js";
import { NumberColumn } from "./record-columns.js";

/** Where the records of a file lie. */
export interface RecordPlaces {
  readonly size: number;
  startAt(position: number): number;
  lengthAt(position: number): number;
  readonly problems: readonly LineProblem[];
}

export type LineProblem = Pick<RecordWarning, "line" | "reason">;

/** How many lines that cannot be read are named one by one; of the rest their number is told. */
const NAMED_PROBLEMS = 1_000;

/** The places of the lines read so far. */
export class RecordIndexState {
  readonly starts = NumberColumn.ofDoubles();
  readonly lengths = NumberColumn.ofIntegers();
  readonly #problems: LineProblem[] = [];
  #unnamed = 0;
  #lastProblemLine = 0;

  get bytes(): number {
    return this.starts.bytes + this.lengths.bytes + this.#problems.length * 64;
  }

  /** Whether the line is a record. */
  add(line: JsonLine): boolean {
    if (line.problem === undefined) {
      this.starts.push(line.start);
      this.lengths.push(line.length);
      return true;
    }
    this.#lastProblemLine = line.number;
    if (this.#problems.length < NAMED_PROBLEMS) {
      this.#problems.push({ line: line.number, reason: line.problem });
    } else {
      this.#unnamed++;
    }
    return false;
  }

  places(tail: JsonLine | undefined): RecordPlaces {
    const { starts, lengths } = this;
    const known = starts.size;
    const { start = 0, length = 0 } = tail ?? {};
    return {
      size: known + (tail === undefined ? 0 : 1),
      startAt: (position) => (position < known ? starts.at(position) : start),
      lengthAt: (position) => (position < known ? lengths.at(position) : length),
      problems: this.#listProblems(),
    };
  }

  #listProblems(): LineProblem[] {
    if (this.#unnamed === 0) return [...this.#problems];
    const reason = `and ${this.#unnamed - 1} lines before it, cannot be read either`;
    return [...this.#problems, { line: this.#lastProblemLine, reason }];
  }
}

/** The places of a file's records: what serving them needs. */
export const recordIndex: Digest<RecordIndexState, RecordPlaces> = {
  begin: () => new RecordIndexState(),
  add: (state, line) => {
    state.add(line);
  },
  view: (state, tail) => state.places(tail),
  weigh: (state) => state.bytes,
  wanted: { onlyMembers: true },
};
