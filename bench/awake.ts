import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";

/**
 * Keeps the processors from going to sleep during short measurements: waking a virtual one takes longer than a page of
 * sessions, and a process that waits more often pays it more often. The loops have the scheduler's idle class, so they get only the
 * time that no other process wants.
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
