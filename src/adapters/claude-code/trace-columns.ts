import { breathe } from "../../application/slices.js";
import { agentsWithLines, type ReadFile } from "./session-reader.js";
import { RowKind, type TraceRow } from "./trace-rows.js";

/** How many envelopes are looked at between two turns of the event loop. */
const ROWS_PER_PAUSE = 1_024;

/** What the merge has to know of each envelope, and where each is found again. */
export class TraceColumns {
  readonly fileOf: Uint16Array;
  readonly rowOf: Uint32Array;
  readonly traceOf: Uint32Array;
  readonly sequences: Uint32Array;
  readonly instants: Float64Array;
  readonly traceIds: string[] = [];
  size = 0;

  private constructor(most: number) {
    this.fileOf = new Uint16Array(most);
    this.rowOf = new Uint32Array(most);
    this.traceOf = new Uint32Array(most);
    this.sequences = new Uint32Array(most);
    this.instants = new Float64Array(most);
  }

  /** Puts the rows of all files together, file by file. */
  static async of(sessionId: string, sources: readonly ReadFile[]): Promise<TraceColumns> {
    const columns = new TraceColumns(sources.reduce((sum, { file }) => sum + file.size, 0));
    const withLines = agentsWithLines(sources);
    const begun = beginningOf(sources);
    for (const [at, { file, agentId }] of sources.entries()) {
      const firstTrace = columns.traceIds.length;
      columns.traceIds.push(...file.threads.map((thread) => thread.agentId || agentId || sessionId));
      for (let i = 0; i < file.size; i++) {
        const row = file.rowAt(i);
        const knowsNone = file.threads[row.thread]!.firstInstant === undefined;
        const instant = knowsNone ? begun : row.instant;
        if (isShown(row, file.threads, withLines)) columns.#add(at, i, firstTrace + row.thread, row, instant);
        if (i % ROWS_PER_PAUSE === ROWS_PER_PAUSE - 1) await breathe();
      }
    }
    return columns;
  }

  #add(file: number, at: number, trace: number, row: TraceRow, instant: number): void {
    this.fileOf[this.size] = file;
    this.rowOf[this.size] = at;
    this.traceOf[this.size] = trace;
    this.sequences[this.size] = row.sequence;
    this.instants[this.size++] = instant;
  }
}

/** The oldest instant that any file knows; where none does, when the first one was written. */
export function beginningOf(sources: readonly ReadFile[]): number {
  const known = sources.flatMap(({ file }) =>
    file.threads.map(({ firstInstant }) => firstInstant ?? Infinity),
  );
  const oldest = known.reduce((a, b) => Math.min(a, b), Infinity);
  return Number.isFinite(oldest) ? oldest : Math.floor(sources[0]?.identity.modifiedAt ?? 0);
}

/** Of the two readings of a progress record one is shown: the sub-agent's own where nothing else tells of its work. */
function isShown(
  row: TraceRow,
  threads: ReadFile["file"]["threads"],
  withLines: ReadonlySet<string>,
): boolean {
  const thread = threads[row.thread]!;
  if (thread.isProgress) return !withLines.has(thread.agentId);
  if (row.kind !== RowKind.record || row.detail === 0) return true;
  return withLines.has(threads[row.detail - 1]!.agentId);
}
