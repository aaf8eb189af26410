/** A line that cannot be read. */
export interface LineProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

/** Lines that cannot be read: the first ones, how many more there are, and the last one of those. */
export interface ProblemCount {
  readonly named: readonly LineProblem[];
  readonly unnamed: number;
  readonly lastLine: number;
}

/** How many lines that cannot be read are named one by one. */
const NAMED = 1_000;

/** The lines of a file that cannot be read, in bounded memory. */
export class LineProblems implements ProblemCount {
  readonly named: LineProblem[] = [];
  unnamed = 0;
  lastLine = 0;

  /** About how many bytes of memory it takes. */
  get bytes(): number {
    return this.named.length * 64;
  }

  add(line: number, reason: string): void {
    this.lastLine = line;
    if (this.named.length < NAMED) this.named.push({ line, reason });
    else this.unnamed++;
  }

  addAll({ named, unnamed, lastLine }: ProblemCount): void {
    for (const { line, reason } of named) this.add(line, reason);
    this.unnamed += unnamed;
    this.lastLine = Math.max(this.lastLine, lastLine);
  }

  /** The first ones one by one, then how many more there are. */
  list(): LineProblem[] {
    if (this.unnamed === 0) return [...this.named];
    const reason = `and ${this.unnamed - 1} lines before it, cannot be read either`;
    return [...this.named, { line: this.lastLine, reason }];
  }
}
