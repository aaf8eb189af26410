export interface LineProblem {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

export interface ProblemCount {
  readonly named: readonly LineProblem[];
  readonly unnamed: number;
  readonly lastLine: number;
}

const NAMED = 1_000;

/** Bounded: the first problems, and a count of the others. */
export class LineProblems implements ProblemCount {
  readonly named: LineProblem[] = [];
  unnamed = 0;
  lastLine = 0;

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

  list(): LineProblem[] {
    if (this.unnamed === 0) return [...this.named];
    const reason = `and ${this.unnamed - 1} lines before it, cannot be read or displayed as stored either`;
    return [...this.named, { line: this.lastLine, reason }];
  }
}
