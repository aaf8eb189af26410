import type { ReadingPool, ReadingTask, RunOptions } from "../ports/reading-pool.js";
import { runInSlices } from "./slices.js";

/** Reads on the host's own event loop, in slices: for hosts that forbid threads, and for tests. */
export class InProcessPool implements ReadingPool {
  readonly threads = 1;

  run<Input, Output>(
    task: ReadingTask<Input, Output>,
    input: Input,
    { signal }: RunOptions = {},
  ): Promise<Output> {
    return runInSlices(task.steps(input), signal);
  }

  async close(): Promise<void> {}
}
