import { afterAll } from "vitest";
import { ThreadPool } from "../../src/adapters/files/threads/thread-pool.js";
import type { ReadingPool } from "../../src/application/ports/reading-pool.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";

/** Where sources read: a suite must pass for each. One pool for the whole file, because a thread takes a while to begin. */
export function pools(): readonly (readonly [name: string, pool: ReadingPool])[] {
  const inThread = new ThreadPool();
  afterAll(() => inThread.close());
  return [
    ["in a thread", inThread],
    ["on the event loop", new InProcessPool()],
  ];
}
