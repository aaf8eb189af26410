import { Tinypool } from "tinypool";
import { SourceChangedError, SourceUnavailableError } from "../../../application/errors.js";
import {
  READING_POOL,
  type ReadingPool,
  type ReadingTask,
  type RunOptions,
} from "../../../application/ports/reading-pool.js";
import { InProcessPool } from "../../../application/threads/in-process-pool.js";
import type { OptionKind, OptionTable } from "../../../domain/options/check-options.js";
import { numberOf } from "../../../domain/options/option-kinds.js";
import type { ThreadAnswer, ThreadRequest } from "./thread.js";
import { THREAD_MODULE, warnOfNoThreads } from "./thread-module.js";

/** Time after which a thread without tasks ends, in milliseconds. */
const IDLE_MS = 30_000;

/** Maximum number of concurrent tasks per thread: they take turns in it. */
const TASKS_PER_THREAD = 64;

/**
 * Size of a thread's young generation, in MB. Reading makes much garbage and retains little, so a small size saves memory. With much
 * retained data a small generation fills so often that garbage is promoted.
 */
const NURSERY_MB = { reading: 6, keeping: 12 } as const;

/** Main use of threads: they read and hand over data, or retain much of their input, as the analysis of a session does. */
export type ThreadUse = keyof typeof NURSERY_MB;

const NO_TASK = { module: undefined };

/** From source, the thread needs the loader that the process was started with; a build needs no flag of its host's. */
const IS_SOURCE = THREAD_MODULE?.endsWith(".ts") ?? false;

/**
 * Worker threads that run reading tasks. Each thread begins with its first task and ends after some time without tasks. Without a task it
 * does not keep the process alive. When it fails, its tasks fail.
 *
 * In a bundle, where the module of the threads is missing, tasks run in slices of the host's event loop. One warning per process reports
 * this (`docs/bundling.md`).
 */
export class ThreadPool implements ReadingPool {
  readonly threads: number;
  /** One by one, so that a lane stays in the thread that knows it. */
  readonly #threads: readonly Thread[];
  /** Runs tasks whose module no thread can load. */
  readonly #slices = new InProcessPool();
  #next = 0;
  #isClosed = false;

  /**
   * @param threads how many at most. Default is one
   * @param use default is reading
   */
  constructor(threads = 1, use: ThreadUse = "reading") {
    this.threads = THREAD_MODULE === undefined ? 1 : threads;
    this.#threads = Array.from({ length: this.threads }, () => new Thread(use));
  }

  async run<Input, Output>(
    task: ReadingTask<Input, Output>,
    input: Input,
    { lane, signal, moved }: RunOptions = {},
  ): Promise<Output> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new Error("The reading pool is closed.");
    const { module, name } = task;
    if (THREAD_MODULE === undefined || module === undefined) {
      warnOfNoThreads();
      return this.#slices.run(task, input, { signal });
    }
    const thread = this.#threads[(lane ?? this.#next++) % this.threads]!;
    const stop = signal && new Int32Array(new SharedArrayBuffer(4));
    const leave = () => stop && Atomics.store(stop, 0, 1);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return outputOf<Output>(await thread.run({ module, name, input, stop }, moved), signal);
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  quietLane(): number {
    const tasks = this.#threads.map((thread) => thread.tasks);
    return tasks.indexOf(Math.min(...tasks));
  }

  begin({ module }: Parameters<NonNullable<ReadingPool["begin"]>>[0] = NO_TASK): void {
    if (THREAD_MODULE === undefined || this.#isClosed) return;
    for (const thread of this.#threads) thread.begin(module);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** One thread, which begins when it is needed; a new one where the last one failed. */
class Thread {
  /** Number of its tasks that have not ended. */
  tasks = 0;
  readonly #use: ThreadUse;
  #pool: Tinypool | undefined;
  #beginning: Promise<unknown> | undefined;

  constructor(use: ThreadUse) {
    this.#use = use;
  }

  /** Runs a request. Tasks that arrive while the thread starts wait for it here: the pool would run them one after the other. */
  async run(request: ThreadRequest, moved: readonly ArrayBuffer[] = []): Promise<ThreadAnswer> {
    this.begin();
    const pool = this.#pool!;
    this.tasks++;
    try {
      if (this.#beginning !== undefined) await this.#beginning;
      return (await pool.run(request, { transferList: [...moved] })) as ThreadAnswer;
    } catch (cause) {
      throw new SourceUnavailableError(
        "The thread that reads files failed. The next reading starts another.",
        {
          cause,
        },
      );
    } finally {
      this.tasks--;
    }
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  /**
   * Begins, unless it has begun; the next caller that runs something gets a failure.
   *
   * @param module is loaded at the start. Default is no module
   */
  begin(module?: string): void {
    this.#pool ??= this.#newPool();
    const pool = this.#pool;
    if (pool.threads.length === 0) {
      const beginning = pool.run(undefined, { name: "begin" }).finally(() => {
        if (this.#beginning === beginning) this.#beginning = undefined;
      });
      beginning.catch(() => undefined);
      this.#beginning = beginning;
    }
    if (module === undefined) return;
    const load = async () => {
      await this.#beginning;
      await pool.run(module, { name: "load" });
    };
    load().catch(() => undefined);
  }

  #newPool(): Tinypool {
    const pool = new Tinypool({
      filename: THREAD_MODULE!,
      name: "runTask",
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      concurrentTasksPerWorker: TASKS_PER_THREAD,
      // A thread that sleeps on shared memory is woken before its message is there in Deno, and sleeps on.
      useAtomics: false,
      trackUnmanagedFds: false,
      resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB[this.#use] },
      ...(IS_SOURCE ? {} : { execArgv: [] }),
    });
    // A thread that cannot start has no task yet: the tasks that wait for it are rejected, and the process continues.
    pool.on("error", () => {
      if (this.#pool === pool) this.#pool = undefined;
      pool.destroy().catch(() => undefined); // it has failed already, and its callers have the error
    });
    return pool;
  }
}

function outputOf<Output>(answer: ThreadAnswer, signal: AbortSignal | undefined): Output {
  switch (answer.kind) {
    case "output":
      return answer.output as Output;
    case "stopped":
      signal?.throwIfAborted();
      throw new Error("A reading task was stopped without an abort.");
    case "changed":
      throw new SourceChangedError(answer.message);
    case "unavailable":
      throw new SourceUnavailableError(answer.message, { cause: answer.cause });
    case "failed":
      throw answer.error;
    default:
      return answer satisfies never;
  }
}

/** Reading options of a source. */
export interface ThreadOptions {
  /**
   * Maximum number of worker threads that read and parse. They start when they are first needed and end after half a minute without work.
   * `false` reads on the host's event loop, a few milliseconds at a time. Default is 1.
   */
  readonly threads?: number | false | undefined;
  /** Alternative to own threads: threads that several sources share. The code that created the pool closes it. */
  readonly pool?: ReadingPool | undefined;
}

const THREAD_COUNT = numberOf(
  "an integer from 1 up, or false",
  (value) => Number.isSafeInteger(value) && value >= 1,
);
const THREADS: OptionKind = (name, value) => (value === false ? undefined : THREAD_COUNT(name, value));

export const THREAD_OPTIONS = { threads: THREADS, pool: READING_POOL } satisfies OptionTable<ThreadOptions>;

/** The pool that a source reads in, and whether the source closes it. @param use what its threads do most */
export function openPool(
  { threads, pool }: ThreadOptions,
  use?: ThreadUse,
): { readonly pool: ReadingPool; readonly ownsPool: boolean } {
  if (pool !== undefined) return { pool, ownsPool: false };
  return { pool: threads === false ? new InProcessPool() : new ThreadPool(threads, use), ownsPool: true };
}
