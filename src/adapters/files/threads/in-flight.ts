import pLimit from "p-limit";
import { fingerprint } from "../../../domain/text/fingerprints.js";

/**
 * Does something with each of a list, several at a time, and gives the results in the order of the list. After a failure nothing
 * more is begun.
 */
export async function mapInFlight<T, R>(
  inputs: readonly T[],
  atOnce: number,
  work: (input: T, index: number) => Promise<R>,
): Promise<R[]> {
  const limit = pLimit(atOnce);
  try {
    return await limit.map(inputs, work);
  } catch (error) {
    limit.clearQueue();
    throw error;
  }
}

/** Splits a list into parts of at most this size. */
export function portionsOf<T>(items: readonly T[], size: number): T[][] {
  const portions: T[][] = [];
  for (let from = 0; from < items.length; from += size) portions.push(items.slice(from, from + size));
  return portions;
}

/** Number of lanes: more than threads, so that each thread has some. */
const LANES = 64;

/** The lane of a thread for what belongs together: the same text gives the same one, from 0 to 63. */
export function laneOf(text: string): number {
  return Number.parseInt(fingerprint(text), 16) % LANES;
}
