import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";

/**
 * Prevents processor sleep during short measurements: the wake-up of a virtual processor takes longer than a page of sessions. The loops
 * have the scheduler's idle class, so they only use idle time.
 */
export async function whileAwake<T>(work: () => Promise<T>): Promise<T> {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn("chrt", ["--idle", "0", "sh", "-c", "while :; do :; done"], { stdio: "ignore" }),
  );
  try {
    await Promise.all(loops.map((loop) => once(loop, "spawn")));
    return await work();
  } finally {
    for (const loop of loops) loop.kill();
  }
}
