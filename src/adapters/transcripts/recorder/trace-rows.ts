import { doubles, integers } from "../../files/bytes/columns.js";

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
  repeat: 12,
} as const;

export type RowKind = (typeof RowKind)[keyof typeof RowKind];

export type TurnOutcome = "completed" | "failed" | "cancelled";

export const OUTCOMES: readonly TurnOutcome[] = ["completed", "failed", "cancelled"];

export interface LineLocation {
  readonly start: number;
  readonly length: number;
  /** From 1. */
  readonly line: number;
  /** Fingerprint of its bytes; 0 for a summarised file. */
  readonly content: number;
  readonly isNested?: boolean;
}

export interface RecordedRow extends LineLocation {
  readonly kind: RowKind;
  readonly isMain: boolean;
  readonly isInner: boolean;
  readonly isRepeated: boolean;
  /** Index of the displayed part of the record; 0 for none. */
  readonly part: number;
  readonly conversation: number;
  readonly sequence: number;
  /** In milliseconds since the epoch; `NaN` before the conversation's first instant. */
  readonly instant: number;
  /**
   * By kind: turn, model call, tool name, tokens before a compaction, dropped messages of a rewind, or a progress record's conversation
   * plus one.
   */
  readonly detail: number;
}

const MAIN = 0x100;
const INNER = 0x200;
const REPEATED = 0x400;

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
