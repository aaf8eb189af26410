import type { KeyActions } from "./use-keys.js";

/** The line that each key moves the selection to. */
const MOVES: { readonly [key: string]: (line: number, rows: number) => number } = {
  j: (line) => line + 1,
  k: (line) => line - 1,
  ArrowDown: (line) => line + 1,
  ArrowUp: (line) => line - 1,
  PageDown: (line) => line + 20,
  PageUp: (line) => line - 20,
  Home: () => 0,
  End: (_, rows) => rows - 1,
};

/**
 * The keys that go from row to row.
 *
 * @param line that of the selection; -1 where nothing is selected
 * @param go gets a line that may lie outside of the rows
 */
export function rowMoves(line: number, rows: number, go: (to: number) => void): KeyActions {
  return Object.fromEntries(Object.entries(MOVES).map(([key, to]) => [key, () => go(to(line, rows))]));
}
