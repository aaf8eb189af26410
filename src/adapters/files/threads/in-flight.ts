import pLimit from "p-limit";
import { fingerprint } from "../../../domain/text/fingerprints.js";

/** Results are in the order of the list. After a failure no further work begins. */
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

export function portionsOf<T>(items: readonly T[], size: number): T[][] {
  const portions: T[][] = [];
  for (let from = 0; from < items.length; from += size) portions.push(items.slice(from, from + size));
  return portions;
}

/** More than threads, so that each thread has some. */
const LANES = 64;

/** Related work has the same text, and so the same thread. Range: 0 to 63. */
export function laneOf(text: string): number {
  return Number.parseInt(fingerprint(text), 16) % LANES;
}
