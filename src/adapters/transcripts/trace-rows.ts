import { doubles, integers } from "../files/bytes/columns.js";

/** The kinds of envelope that a line can give. */
export const RowKind = {
  record: 0,
  sessionStart: 1,
  turnStart: 2,
  turnEnd: 3,
  llmStart: 4,
  llmEnd: 5,
  block: 6,
  toolStart: 7,
  toolEnd: 8,
  compactionStart: 9,
  compactionEnd: 10,
  error: 11,
  /** The record repeats another record: the content is displayed with that one. */
  repeat: 12,
} as const;

export type RowKind = (typeof RowKind)[keyof typeof RowKind];

export type TurnOutcome = "completed" | "failed" | "cancelled";

export const OUTCOMES: readonly TurnOutcome[] = ["completed", "failed", "cancelled"];

export interface LineLocation {
  readonly start: number;
  readonly length: number;
  /** Its number, counted from 1. */
  readonly line: number;
  /** A fingerprint of its bytes; 0 where the file is only summed up. */
  readonly content: number;
  /** True if it is a part of its line: a record within another one. */
  readonly isNested?: boolean;
}

/** An envelope that a line gives: enough to place it in the trace, and to derive it when the line is read again. */
export interface RecordedRow extends LineLocation {
  readonly kind: RowKind;
  /** The first envelope of its line: it carries what the others do not. */
  readonly isMain: boolean;
  /** Derived from the record inside a progress record. */
  readonly isInner: boolean;
  /** The record's id came before in the file, so it cannot be an id again. */
  readonly isRepeated: boolean;
  /** The number of the part that it shows among those of its record; 0 where it shows none. */
  readonly part: number;
  /** The conversation of the file, by its number. */
  readonly conversation: number;
  readonly sequence: number;
  /** Milliseconds since the epoch; `NaN` where nothing before it in the conversation knows one. */
  readonly instant: number;
  /** By kind: the turn, the model call, the tool's name, the tokens before a compaction, the messages that a rewind drops, or the conversation that a progress record reports on, plus one. */
  readonly detail: number;
}

const MAIN = 0x100;
const INNER = 0x200;
const REPEATED = 0x400;

/** The rows of a file in columns: some 52 bytes each. */
export class TraceRows {
  readonly #starts = doubles();
  readonly #lengths = integers();
  readonly #lines = integers();
  readonly #kinds = integers();
  readonly #parts = integers();
  readonly #conversations = integers();
  readonly #sequences = integers();
  readonly #instants = doubles();
  readonly #details = integers();
  readonly #contents = doubles();

  readonly #columns = [
    this.#starts,
    this.#lengths,
    this.#lines,
    this.#kinds,
    this.#parts,
    this.#conversations,
    this.#sequences,
    this.#instants,
    this.#details,
    this.#contents,
  ];

  get size(): number {
    return this.#starts.size;
  }

  get bytes(): number {
    return this.#columns.reduce((sum, column) => sum + column.bytes, 0);
  }

  push(row: RecordedRow): void {
    this.#starts.push(row.start);
    this.#lengths.push(row.length);
    this.#lines.push(row.line);
    const flags = (row.isMain ? MAIN : 0) | (row.isInner ? INNER : 0) | (row.isRepeated ? REPEATED : 0);
    this.#kinds.push(row.kind | flags);
    this.#parts.push(row.part);
    this.#conversations.push(row.conversation);
    this.#sequences.push(row.sequence);
    this.#instants.push(row.instant);
    this.#details.push(row.detail);
    this.#contents.push(row.content);
  }

  at(index: number): RecordedRow {
    const kind = this.#kinds.at(index);
    return {
      start: this.#starts.at(index),
      length: this.#lengths.at(index),
      line: this.#lines.at(index),
      kind: (kind & 0xff) as RowKind,
      isMain: (kind & MAIN) !== 0,
      isInner: (kind & INNER) !== 0,
      isRepeated: (kind & REPEATED) !== 0,
      part: this.#parts.at(index),
      conversation: this.#conversations.at(index),
      sequence: this.#sequences.at(index),
      instant: this.#instants.at(index),
      detail: this.#details.at(index),
      content: this.#contents.at(index),
    };
  }
}
