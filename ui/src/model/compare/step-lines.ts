import {
  addUse,
  NO_USE,
  type StepComparison,
  type StepUse,
} from "../../../../src/domain/compare/step-comparison.js";
import { firstWhere } from "../../../../src/domain/lists/lists.js";

export type StepLine =
  | { readonly kind: "row"; readonly row: number; readonly divergence: number | undefined }
  | (StepFold & { readonly kind: "fold"; readonly isOpen: boolean });

interface StepFold {
  readonly row: number;
  readonly rows: number;
  readonly used: Two<StepUse>;
  readonly until: Two<StepUse>;
}

type Two<T> = readonly [T, T];
type ComparedSteps = Pick<StepComparison, "divergences" | "divergenceCount" | "rowCount" | "used">;

export const STEP_ROWS = 250;

const MOST_ROWS = 50_000;
const LEAST_FOLDED = 3;

interface Stretch {
  readonly row: number;
  readonly rows: number;
  readonly line: number;
  readonly fold: StepFold | undefined;
  readonly isOpen: boolean;
  readonly divergence: number | undefined;
}

export class StepLines {
  readonly #stretches: Stretch[] = [];
  readonly count: number;

  /** @param open first rows of open folds */
  constructor(comparison: ComparedSteps, open: ReadonlySet<number>) {
    const end = Math.min(comparison.rowCount, MOST_ROWS);
    let line = 0;
    let row = 0;
    const add = (to: number, fold: StepFold | undefined, divergence?: number) => {
      const rows = Math.min(to, end) - row;
      if (rows <= 0) return;
      const isOpen = fold !== undefined && open.has(row);
      this.#stretches.push({ row, rows, line, fold, isOpen, divergence });
      line += fold === undefined ? rows : isOpen ? rows + 1 : 1;
      row += rows;
    };
    let behind: Two<StepUse> = [NO_USE, NO_USE];
    const same = (to: number, until: Two<StepUse>) => {
      const rows = to - row;
      const used = [usedBetween(behind[0], until[0]), usedBetween(behind[1], until[1])] as const;
      add(to, rows < LEAST_FOLDED ? undefined : { row, rows, used, until });
    };
    for (const [i, { row: from, rows, used, before }] of comparison.divergences.entries()) {
      same(from, before);
      add(from + rows, undefined, i);
      behind = [addUse(before[0], used[0]), addUse(before[1], used[1])];
    }
    // Rows after the last listed divergence may differ.
    if (comparison.divergences.length < comparison.divergenceCount) add(comparison.rowCount, undefined);
    else same(comparison.rowCount, comparison.used);
    this.count = line;
  }

  lineAt(line: number): StepLine {
    const { row, fold, isOpen, divergence, line: first } = this.#stretches[this.#stretchOf(line)]!;
    if (fold === undefined) return { kind: "row", row: row + line - first, divergence };
    if (line === first) return { kind: "fold", ...fold, isOpen };
    return { kind: "row", row: row + line - first - 1, divergence };
  }

  lineOf(row: number): number {
    const { length } = this.#stretches;
    const at = firstWhere(0, length, (i) => this.#stretches[i]!.row > row) - 1;
    const stretch = this.#stretches[at];
    if (stretch === undefined) return 0;
    const { line, fold, isOpen, row: first } = stretch;
    if (fold === undefined) return line + Math.min(row, first + stretch.rows - 1) - first;
    return isOpen ? line + 1 + row - first : line;
  }

  #stretchOf(line: number): number {
    return firstWhere(0, this.#stretches.length, (i) => this.#stretches[i]!.line > line) - 1;
  }
}

function usedBetween(from: StepUse, to: StepUse): StepUse {
  const unpricedCalls = (to.unpricedCalls ?? 0) - (from.unpricedCalls ?? 0);
  return { ms: to.ms - from.ms, usd: to.usd - from.usd, ...(unpricedCalls > 0 ? { unpricedCalls } : {}) };
}
