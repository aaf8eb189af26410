import type { ToolOutcome } from "../../../src/adapters/transcripts/recorder/parts.js";
import { HeldResults } from "../../../src/domain/facts/context-results.js";
import { MOST_NAMES } from "../../../src/domain/facts/session-facts.js";

const PLACES = 256;

const NO_TOOL = MOST_NAMES;

const ROW_BYTES = 120;

/** By quarter and two indexes. The key is a number, because there are rows for each record. */
type Rows = Map<number, number[]>;

function keyOf(quarter: number, first: number, second: number): number {
  return (quarter * PLACES + first) * PLACES + second;
}

export type FactsRow = readonly [quarter: number, first: number, second: number, values: readonly number[]];

function* rowsIn(rows: ReadonlyMap<number, readonly number[]>): Generator<FactsRow, void> {
  for (const [key, values] of rows) {
    const both = Math.floor(key / PLACES);
    const quarter = Math.floor(both / PLACES);
    yield [quarter, both - quarter * PLACES, key - both * PLACES, values];
  }
}

/** Activity of one conversation in one file. Methods that may add a row return its size in bytes. */
export class ConversationFacts {
  lastMinute = Number.NaN;
  compactions = 0;
  readonly #minutes: Rows = new Map();
  readonly #tools: Rows = new Map();
  readonly #durations: Rows = new Map();
  readonly #carried: Rows = new Map();
  readonly #failures: Rows = new Map();
  readonly #context = new HeldResults<number>();

  addMinute(quarter: number, minute: number): number {
    const [row, bytes] = rowOf(this.#minutes, keyOf(quarter, 0, 0), NOTHING);
    row[0]! |= 1 << minute;
    return bytes;
  }

  addTool(quarter: number, tool: number): number {
    const [row, bytes] = rowOf(this.#tools, keyOf(quarter, tool, 0), NO_TOOL_USE);
    row[0]! += 1;
    return bytes;
  }

  endTool(quarter: number, tool: number, outcome: ToolOutcome, tokens: number): void {
    const [row] = rowOf(this.#tools, keyOf(quarter, tool, 0), NO_TOOL_USE);
    if (outcome === "failed") row[1]! += 1;
    if (outcome === "refused") row[2]! += 1;
    row[3]! += tokens;
    this.#context.add(tool, tokens);
  }

  addDuration(quarter: number, tool: number, length: number): number {
    const [row, bytes] = rowOf(this.#durations, keyOf(quarter, tool, length), NOTHING);
    row[0]! += 1;
    return bytes;
  }

  readContext(quarter: number, model: number): number {
    let bytes = 0;
    this.#context.read((tool, { first, again }) => {
      const [row, added] = rowOf(this.#carried, keyOf(quarter, tool, model), NO_TOKENS);
      row[0]! += first;
      row[1]! += again;
      bytes += added;
    });
    return bytes;
  }

  addFailure(quarter: number, cause: number, tool: number | undefined, at: number): number {
    const [row, bytes] = rowOf(this.#failures, keyOf(quarter, cause, tool ?? NO_TOOL), [0, at, at]);
    row[0]! += 1;
    row[1] = Math.min(row[1]!, at);
    row[2] = Math.max(row[2]!, at);
    return bytes;
  }

  compact(): void {
    this.compactions++;
    this.#context.compact();
  }

  minutes(): Iterable<FactsRow> {
    return rowsIn(this.#minutes);
  }

  /** By tool: calls, failures, refusals, result tokens. */
  tools(): Iterable<FactsRow> {
    return rowsIn(this.#tools);
  }

  durations(): Iterable<FactsRow> {
    return rowsIn(this.#durations);
  }

  /** By tool and model: tokens read for the first time, and again. */
  carried(): Iterable<FactsRow> {
    return rowsIn(this.#carried);
  }

  /** By cause and tool: count, first and last instant. The index after the last tool stands for no tool. */
  failures(): Iterable<FactsRow> {
    return rowsIn(this.#failures);
  }
}

const NOTHING = [0];
const NO_TOKENS = [0, 0];
const NO_TOOL_USE = [0, 0, 0, 0];

function rowOf(rows: Rows, key: number, empty: readonly number[]): [row: number[], bytes: number] {
  const existing = rows.get(key);
  if (existing !== undefined) return [existing, 0];
  const row = [...empty];
  rows.set(key, row);
  return [row, ROW_BYTES];
}
