import diagnostics from "node:diagnostics_channel";
import type { Worker } from "node:worker_threads";
import { onTestFinished } from "vitest";

/** Collects new threads until the end of the test. An ended one has the id -1. */
export function startedThreads(): readonly Worker[] {
  const threads: Worker[] = [];
  const onStart = (message: unknown) => void threads.push((message as { readonly worker: Worker }).worker);
  diagnostics.subscribe("worker_threads", onStart);
  onTestFinished(() => void diagnostics.unsubscribe("worker_threads", onStart));
  return threads;
}
