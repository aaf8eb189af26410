import { Tinypool } from "tinypool";
import { SourceChangedError, SourceUnavailableError } from "../../application/errors.js";
import type { ReadingPool, ReadingTask, RunOptions } from "../../application/ports/reading-pool.js";
import type { ThreadAnswer, ThreadRequest } from "./thread.js";

/** How long a thread stays when nobody asks it anything, in milliseconds. */
const IDLE_MS = 30_000;

/** How many tasks a thread takes at a time: they take turns in it. */
const TASKS_PER_THREAD = 64;

/** Threads make much garbage and keep little: a small nursery keeps the process small. */
const NURSERY_MB = 16;

/** From source, the thread needs the loader that the process was started with; a build needs no flag of its host's. */
const IS_SOURCE = import.meta.url.endsWith(".ts");
const THREAD = new URL(IS_SOURCE ? "./thread.ts" : "./thread.js", import.meta.url).href;

/**
 * Worker threads that run reading tasks. Each begins with the first task that it is given, ends when there have been none for a
 * while, and never keeps the process alive when it rests.
 */
export class ThreadPool implements ReadingPool {
  readonly threads: number;
  /** One pool a thread, so that a lane stays in the thread that knows it. */
  readonly #pools: readonly Tinypool[];
  #next = 0;

  /** @param threads how many at most. Default is one */
  constructor(threads = 1) {
    this.threads = threads;
    this.#pools = Array.from({ length: threads }, newThread);
  }

  async run<Input, Output>(
    { module, name }: ReadingTask<Input, Output>,
    input: Input,
    { lane, signal }: RunOptions = {},
  ): Promise<Output> {
    signal?.throwIfAborted();
    const pool =
      this.#pools[lane === undefined ? this.#next++ % this.threads : numberOf(lane) % this.threads]!;
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const request: ThreadRequest = { module, name, input, stop };
    const leave = () => Atomics.store(stop, 0, 1);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return outputOf<Output>((await pool.run(request)) as ThreadAnswer, signal);
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }
}

function newThread(): Tinypool {
  return new Tinypool({
    filename: THREAD,
    name: "runTask",
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: TASKS_PER_THREAD,
    trackUnmanagedFds: false,
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
    ...(IS_SOURCE ? {} : { execArgv: [] }),
  });
}

function outputOf<Output>(answer: ThreadAnswer, signal: AbortSignal | undefined): Output {
  switch (answer.kind) {
    case "output":
      return answer.output as Output;
    case "stopped":
      signal?.throwIfAborted();
      throw new Error("A reading task was stopped by nobody.");
    case "changed":
      throw new SourceChangedError(answer.message);
    case "unavailable":
      throw new SourceUnavailableError(answer.message, { cause: answer.cause });
    default:
      return answer satisfies never;
  }
}

/** The same text gives the same number. */
function numberOf(text: string): number {
  let number = 0;
  for (let i = 0; i < text.length; i++) number = (Math.imul(number, 31) + text.charCodeAt(i)) >>> 0;
  return number;
}
