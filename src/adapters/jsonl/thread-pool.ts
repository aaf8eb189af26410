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
  /** One by one, so that a lane stays in the thread that knows it. */
  readonly #threads: readonly PooledThread[];
  #next = 0;
  #isClosed = false;

  /** @param threads how many at most. Default is one */
  constructor(threads = 1) {
    this.threads = threads;
    this.#threads = Array.from({ length: threads }, () => new PooledThread());
  }

  async run<Input, Output>(
    { module, name }: ReadingTask<Input, Output>,
    input: Input,
    { lane, signal }: RunOptions = {},
  ): Promise<Output> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new Error("The reading pool is closed.");
    const number = lane === undefined ? this.#next++ : numberOf(lane);
    const thread = this.#threads[number % this.threads]!;
    const stop = signal && new Int32Array(new SharedArrayBuffer(4));
    const request: ThreadRequest = { module, name, input, stop };
    const leave = () => stop && Atomics.store(stop, 0, 1);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return outputOf<Output>(await thread.run(request), signal);
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** A thread that begins when it is needed. */
class PooledThread {
  readonly #pool = newPool();
  #beginning: Promise<unknown> | undefined;

  /**
   * Tasks that are asked for while the thread begins wait for it here: the pool would give them to it one after the other, each when
   * the one before it has ended.
   */
  async run(request: ThreadRequest): Promise<ThreadAnswer> {
    if (this.#pool.threads.length === 0) this.#begin();
    if (this.#beginning !== undefined) await this.#beginning;
    return (await this.#pool.run(request)) as ThreadAnswer;
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  #begin(): void {
    const beginning = this.#pool.run(undefined, { name: "begin" }).finally(() => {
      if (this.#beginning === beginning) this.#beginning = undefined;
    });
    this.#beginning = beginning;
  }
}

function newPool(): Tinypool {
  const pool = new Tinypool({
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
  // A thread that dies without a task fails nobody: the next task begins another one.
  pool.on("error", () => undefined);
  return pool;
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
