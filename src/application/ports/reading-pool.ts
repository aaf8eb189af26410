import { withMethods } from "../../domain/options/option-kinds.js";
import type { ReadOptions } from "./record-stream.js";

/**
 * Work that takes the processor for long: parsing, scanning, sorting. It is a generator that pauses often, so that it can also
 * run where there are no threads. A thread imports `module`, which exports `steps` as `name`.
 *
 * Input and output are plain data and typed arrays. The input is copied to the thread, but for what `moved` names; the memory of the
 * output is moved back.
 */
export interface ReadingTask<Input, Output> {
  /** The address of the module, as {@link ownModule} gives it. Without one, a thread cannot find the steps: they run in slices. */
  readonly module: string | undefined;
  readonly name: string;
  readonly steps: (input: Input) => Generator<unknown, Output>;
}

/**
 * Returns the address of a task's module, for a thread. It is absent in a bundle: there the recorded address is that of the bundle, which
 * is the application itself. A thread that imported it would start the application a second time.
 *
 * @param url the module's `import.meta.url`, which is absent in a bundle of CommonJS
 * @param name the name of its file, without the extension
 */
export function ownModule(url: string | undefined, name: string): string | undefined {
  return url !== undefined && /([^/]+)\.[jt]s$/.exec(url)?.[1] === name ? url : undefined;
}

export interface RunOptions extends ReadOptions {
  /**
   * Tasks with the same lane run in the same thread: the next task can use the memory of the previous one. An integer of at least 0; the
   * remainder by the number of threads selects the thread. Default is any thread.
   */
  readonly lane?: number | undefined;
  /** Memory of the input that may be moved to the thread: whoever gives it does not use it any more. */
  readonly moved?: readonly ArrayBuffer[] | undefined;
}

/** Runs readings: in worker threads, or in slices of the host's event loop. */
export interface ReadingPool {
  /**
   * Runs a task to its end. Tasks in one thread take turns, so that a short one does not wait for a long one.
   *
   * @throws what the task throws: `SourceUnavailableError` and `SourceChangedError` as themselves
   * @throws the signal's reason once it is aborted
   */
  run<Input, Output>(task: ReadingTask<Input, Output>, input: Input, options?: RunOptions): Promise<Output>;

  /**
   * Starts all threads now, and loads the module of a task that each of them will run soon. It returns at once, and never fails. Without
   * this method a thread starts with its first task.
   */
  begin?(task?: Pick<ReadingTask<never, unknown>, "module">): void;

  /** A lane of the thread that has the least to do now. Without it, any lane is as good. */
  quietLane?(): number;

  /** Number of tasks that run at the same time. */
  readonly threads: number;

  /** Ends the threads. No task is run after it. */
  close(): Promise<void>;
}

/** An option that is a pool. */
export const READING_POOL = withMethods<ReadingPool>("ReadingPool", ["run", "close"]);
