/** Lets the event loop turn once: whatever else the process has to do comes first. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** How long a computation goes on between two turns of the event loop, in milliseconds. */
const SLICE_MS = 4;

/** Runs a computation that pauses to its end, a slice at a time. */
export async function runInSlices<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < SLICE_MS) continue;
    await yieldToEventLoop();
    signal?.throwIfAborted();
    begun = performance.now();
  }
}
