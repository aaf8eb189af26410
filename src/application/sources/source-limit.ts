import pLimit from "p-limit";
import type { ReadOptions } from "../ports/record-stream.js";
import { untilAborted } from "../threads/shared-readings.js";
import { yieldToEventLoop } from "../threads/slices.js";

/** A call of a source. */
export type CallSource = <T>(call: () => Promise<T>, options?: ReadOptions) => Promise<T>;

/** Calls a source as it comes: nothing waits. */
export const unlimited: CallSource = async (call) => call();

/**
 * Calls a source so many times at once, in the order in which it is asked; others wait. Of several each begins in a turn of the event loop of its
 * own: what a source makes before it first waits, such as a long array, would otherwise be made for all of them in one.
 *
 * A call that nobody waits for any more is counted no longer, even if it goes on: a source that does not answer would stop all others.
 *
 * @param most from 1 up
 */
export function limited(most: number): CallSource {
  if (most === Number.POSITIVE_INFINITY) return unlimited;
  const limit = pLimit(most);
  let turn: Promise<void> = Promise.resolve();
  return (call, { signal } = {}) =>
    limit(async () => {
      if (limit.activeCount > 1) {
        turn = turn.then(yieldToEventLoop);
        await turn;
      }
      signal?.throwIfAborted();
      return await untilAborted(call(), signal);
    });
}

/** Does something once: who asks while it goes on, or later, gets the same, also where it failed. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}
