import pLimit from "p-limit";
import type { ReadOptions } from "../ports/record-stream.js";
import { untilAborted } from "../threads/shared-readings.js";
import { yieldToEventLoop } from "../threads/slices.js";

/** A call of a source. */
export type CallSource = <T>(call: () => Promise<T>, options?: ReadOptions) => Promise<T>;

/** Calls a source as it comes: nothing waits. */
export const unlimited: CallSource = async (call) => call();

/**
 * Limits the concurrent calls to a source, in the order of the requests; other calls wait. Several calls begin in separate turns of the
 * event loop. Otherwise, synchronous work before a first wait, such as building a long array, would happen for all of them in one turn.
 *
 * A call that nobody awaits any more is no longer counted, even if it continues: a source that does not answer would otherwise block all
 * calls.
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

/** Runs a function once. Callers during the run, or later, get the same result, also after a failure. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}
