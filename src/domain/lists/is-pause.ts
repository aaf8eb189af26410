/** The work on this number of items takes far less than a slice of the event loop. */
const ITEMS_PER_PAUSE = 256;

/**
 * True where a generator with short steps yields, because its caller reads the clock at each `yield`. A generator whose step opens a file,
 * or computes as long, yields at each step.
 * @param count index of an item, or number of items so far
 */
export function isPause(count: number): boolean {
  return count % ITEMS_PER_PAUSE === 0;
}
