import { useRef } from "react";
import { useKeys } from "./use-keys.js";

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

interface RowCursor<Row> {
  /** -1 without a selection. */
  readonly line: number;
  readonly rows: number;
  /** `undefined` if the current row is not loaded. */
  rowAt(line: number): Row | undefined;
  load(line: number): Promise<Row | undefined>;
  onMove(row: Row, line: number): void;
}

/** Later keys wait for the returned promise. */
type RowAct<Row> = (row: Row, line: number) => unknown;

/**
 * Each key begins where the one before led to, also if that row had to be read first.
 * @param acts by key. Enter goes to the first row if none is selected
 */
export function useRowKeys<Row>(cursor: RowCursor<Row>, acts: { readonly [key: string]: RowAct<Row> }): void {
  const latest = useRef({ cursor, acts });
  latest.current = { cursor, acts };
  const line = useRef(cursor.line);
  const drawn = useRef(cursor.line);
  if (drawn.current !== cursor.line) drawn.current = line.current = cursor.line;
  const waiting = useRef(0);
  const turn = useRef(Promise.resolve());

  const inTurn = (act: () => Promise<unknown>) => {
    const run = () => act().finally(() => waiting.current--) as Promise<void>;
    // Synchronous if possible, so that the next frame displays the key's effect.
    turn.current = waiting.current++ === 0 ? run() : turn.current.then(run, run);
  };
  const rowOf = async (index: number) =>
    latest.current.cursor.rowAt(index) ?? (await latest.current.cursor.load(index));
  const moveTo = async (to: number) => {
    const index = Math.min(latest.current.cursor.rows - 1, Math.max(0, to));
    const row = await rowOf(index);
    if (row === undefined) return;
    line.current = index;
    latest.current.cursor.onMove(row, index);
  };
  const act = async (key: string) => {
    const at = line.current;
    if (at === -1) return key === "Enter" ? moveTo(0) : undefined;
    const row = await rowOf(at);
    if (row !== undefined) await latest.current.acts[key]!(row, at);
  };
  useKeys({
    ...Object.fromEntries(
      Object.entries(MOVES).map(([key, to]) => [
        key,
        () => inTurn(() => moveTo(to(line.current, latest.current.cursor.rows))),
      ]),
    ),
    ...Object.fromEntries(Object.keys(acts).map((key) => [key, () => inTurn(() => act(key))])),
  });
}
