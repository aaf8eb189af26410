import { withMethods } from "../../domain/options/option-kinds.js";
import type { ReadOptions } from "./record-stream.js";

/**
 * Long work of the processor, as a generator that pauses often: so it also runs without threads. A thread imports `module`, which exports
 * `steps` as `name`. Input and output are plain data and typed arrays: input is copied except `moved`, memory of the output is moved
 * back.
 */
export interface ReadingTask<Input, Output> {
  /** From {@link ownModule}. Without it the steps run in slices, because a thread cannot import them. */
  readonly module: string | undefined;
  readonly name: string;
  readonly steps: (input: Input) => Generator<unknown, Output>;
}

/**
 * Returns the address of a task's module; `undefined` in a bundle, because a thread that imports the bundle would start the application
 * again.
 * @param url the module's `import.meta.url`, which is absent in a bundle of CommonJS
 * @param name the name of its file, without the extension
 */
export function ownModule(url: string | undefined, name: string): string | undefined {
  return url !== undefined && /([^/]+)\.[jt]s$/.exec(url)?.[1] === name ? url : undefined;
}

export interface RunOptions extends ReadOptions {
  /**
   * Tasks of one lane run in the same thread, so the next task can use the memory of the previous one. An integer of at least 0, modulo
   * the number of threads. Default is any thread.
   */
  readonly lane?: number | undefined;
  /** Memory of the input that may be moved to the thread: the caller does not use it any more. */
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
   * Starts all threads now, and loads the module of a task that each will run soon. It returns at once, and never fails. Without it a
   * thread starts with its first task.
   */
  begin?(task?: Pick<ReadingTask<never, unknown>, "module">): void;

  /** A lane of the least busy thread. Without it, any lane is as good. */
  quietLane?(): number;

  readonly threads: number;

  /** Ends the threads. No task runs after it. */
  close(): Promise<void>;
}

export const READING_POOL = withMethods<ReadingPool>("ReadingPool", ["run", "close"]);
