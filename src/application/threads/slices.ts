export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (globalThis.setImmediate === undefined)
      setTimeout(resolve); // In browser-like runtimes.
    else setImmediate(resolve);
  });
}

/** In milliseconds, between two turns of the event loop. */
const SLICE_MS = 4;

/** Yielded to wait for another computation: the event loop turns at once. */
export const WAITING = Symbol("waiting");

export async function runInSlices<T>(steps: Generator<unknown, T>, signal?: AbortSignal): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (step.value !== WAITING && performance.now() - begun < SLICE_MS) continue;
    await yieldToEventLoop();
    if (signal?.aborted) {
      (steps as Generator<unknown, unknown>).return(undefined); // what it opened is closed
      signal.throwIfAborted();
    }
    begun = performance.now();
  }
}

/** Waits in a reading task for a result of the event loop. */
export function* settled<T>(promise: Promise<T>): Generator<unknown, T> {
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
  promise.then(
    (value) => {
      outcome = { value };
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  const isSettled = () => outcome;
  for (;;) {
    const now = isSettled();
    if (now === undefined) yield WAITING;
    else if ("error" in now) throw now.error;
    else return now.value;
  }
}
