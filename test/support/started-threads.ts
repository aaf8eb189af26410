import diagnostics from "node:diagnostics_channel";
import type { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

/** The threads that this process starts from now on, until the test has ended. One that has ended has the id -1. */
export function startedThreads(): readonly Worker[] {
  const threads: Worker[] = [];
  const onStart = (message: unknown) => void threads.push((message as { readonly worker: Worker }).worker);
  diagnostics.subscribe("worker_threads", onStart);
  onTestFinished(() => void diagnostics.unsubscribe("worker_threads", onStart));
  return threads;
}
