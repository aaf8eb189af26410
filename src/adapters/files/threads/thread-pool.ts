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

/** Milliseconds. */
const IDLE_MS = 30_000;

/** Tasks take turns in a thread. */
const TASKS_PER_THREAD = 64;

/**
 * Young generation in MB. Reading makes much garbage and retains little, so a small one saves memory; with much retained data a small one
 * fills so often that garbage is promoted.
 */
const NURSERY_MB = { reading: 6, keeping: 12 } as const;

/** `keeping`: threads retain much of their input, as the analysis of a session does. */
export type ThreadUse = keyof typeof NURSERY_MB;

const NO_TASK = { module: undefined };

/** Source code needs the loader of the process; a build needs no flag of its host. */
const IS_SOURCE = THREAD_MODULE?.endsWith(".ts") ?? false;

/**
 * Threads begin with their first task and end after some idle time. An idle thread does not prevent the end of the process; when a thread
 * fails, its tasks fail. In a bundle without the threads' module, tasks run in slices of the host's event loop, with one warning per
 * process (`docs/bundling.md`).
 */
export class ThreadPool implements ReadingPool {
  readonly threads: number;
  /** Separate pools, so that a lane stays in the thread with its cache. */
  readonly #threads: readonly Thread[];
  /** For modules that no thread can load. */
  readonly #slices = new InProcessPool();
  #next = 0;
  #isClosed = false;

  /**
   * @param threads maximum. Default is one
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

/** Begins on demand; a new one replaces a failed one. */
class Thread {
  /** Running tasks. */
  tasks = 0;
  readonly #use: ThreadUse;
  #pool: Tinypool | undefined;
  #beginning: Promise<unknown> | undefined;

  constructor(use: ThreadUse) {
    this.#use = use;
  }

  /** Tasks wait here for the start of the thread: the pool would run them one after the other. */
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
   * Idempotent. The next caller that runs a task receives a failure of the start.
   * @param module loaded at the start. Default is no module
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
      // Deno wakes a thread that sleeps on shared memory before its message arrives: it sleeps on.
      useAtomics: false,
      trackUnmanagedFds: false,
      resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB[this.#use] },
      ...(IS_SOURCE ? {} : { execArgv: [] }),
    });
    // A thread that cannot start has no task: waiting tasks are rejected, and the process continues.
    pool.on("error", () => {
      if (this.#pool === pool) this.#pool = undefined;
      pool.destroy().catch(() => undefined); // It failed already, and its callers have the error.
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

export interface ThreadOptions {
  /**
   * Maximum number of worker threads. They start on demand and end after half a minute without work; `false` reads on the host's event
   * loop, a few milliseconds at a time. Default is 1.
   */
  readonly threads?: number | false | undefined;
  /** Threads that several sources share, instead of own ones. The creator of the pool closes it. */
  readonly pool?: ReadingPool | undefined;
}

const THREAD_COUNT = numberOf(
  "an integer from 1 up, or false",
  (value) => Number.isSafeInteger(value) && value >= 1,
);
const THREADS: OptionKind = (name, value) => (value === false ? undefined : THREAD_COUNT(name, value));

export const THREAD_OPTIONS = { threads: THREADS, pool: READING_POOL } satisfies OptionTable<ThreadOptions>;

/** @param use default is reading */
export function openPool(
  { threads, pool }: ThreadOptions,
  use?: ThreadUse,
): { readonly pool: ReadingPool; readonly ownsPool: boolean } {
  if (pool !== undefined) return { pool, ownsPool: false };
  return { pool: threads === false ? new InProcessPool() : new ThreadPool(threads, use), ownsPool: true };
}
