/**
 * Does something with each of a list, several at a time, and gives the results in the order of the list. After a failure nothing
 * more is begun.
 */
export async function mapInFlight<T, R>(
  inputs: readonly T[],
  atOnce: number,
  work: (input: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const takeTurns = async () => {
    while (next < inputs.length) {
      const index = next++;
      try {
        results[index] = await work(inputs[index]!);
      } catch (error) {
        next = inputs.length;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, inputs.length) }, takeTurns));
  return results;
}

/** A list in parts of at most so many. */
export function portionsOf<T>(items: readonly T[], size: number): T[][] {
  const portions: T[][] = [];
  for (let from = 0; from < items.length; from += size) portions.push(items.slice(from, from + size));
  return portions;
}
