import { WAITING } from "./slices.js";

/** Waits in a reading task for what only the event loop can bring to its end. */
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
