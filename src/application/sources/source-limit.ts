import pLimit from "p-limit";
import type { ReadOptions } from "../ports/record-stream.js";
import { untilAborted } from "../threads/shared-readings.js";
import { yieldToEventLoop } from "../threads/slices.js";

export type CallSource = <T>(call: () => Promise<T>, options?: ReadOptions) => Promise<T>;

export const unlimited: CallSource = async (call) => call();

/**
 * Limits concurrent calls to a source; further calls wait, in their order. Calls begin in separate turns of the event loop, so that their
 * synchronous work does not block one turn. A call that nobody awaits any more is not counted: a silent source would otherwise block all
 * calls.
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

/** Runs a function once. All callers get the same result, also after a failure. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}
