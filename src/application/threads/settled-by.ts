import { untilAborted } from "./shared-readings.js";

/**
 * @param until instant of `performance.now()`
 * @returns true if it settled in time
 * @throws its failure, and the signal's reason once it is aborted
 */
export async function settledBy(
  until: number,
  awaited: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, until - performance.now()));
  });
  try {
    return await untilAborted(Promise.race([awaited.then(() => true), isOver]), signal);
  } finally {
    clearTimeout(timer);
  }
}
