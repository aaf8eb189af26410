import { afterAll } from "vitest";
import { ThreadPool } from "../../src/adapters/files/threads/thread-pool.js";
import type { ReadingPool } from "../../src/application/ports/reading-pool.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";

/** One thread for all sources of a file: its start takes longer than most tests. */
export function sharedThread(): ReadingPool {
  const pool = new ThreadPool();
  afterAll(() => pool.close());
  return pool;
}

/** A suite must pass for each. */
export function pools(): readonly (readonly [name: string, pool: ReadingPool])[] {
  return [
    ["in a thread", sharedThread()],
    ["on the event loop", new InProcessPool()],
  ];
}
