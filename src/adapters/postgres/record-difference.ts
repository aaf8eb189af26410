interface MissingRecord {
  readonly at: number;
  readonly key: string;
}

export interface Difference {
  readonly changed: readonly (MissingRecord & { readonly position: number })[];
  readonly added: readonly MissingRecord[];
}

const MOST_CHANGED = 1_000;

/**
 * Compares records without an order. A changed record takes the place of one that is gone.
 * @param stored keys by position
 * @param keys keys of the source by position
 * @returns `undefined` if the source has fewer records, or too many changed
 */
export function differenceOfSets(stored: readonly string[], keys: readonly string[]): Difference | undefined {
  const places = new Map(stored.map((key, position) => [key, position]));
  const missing: MissingRecord[] = [];
  for (const [at, key] of keys.entries()) if (!places.delete(key)) missing.push({ at, key });
  const free = [...places.values()];
  if (free.length > missing.length || isMost(free.length, stored.length)) return undefined;
  return {
    changed: free.map((position, i) => ({ ...missing[i]!, position })),
    added: missing.slice(free.length),
  };
}

export function differenceOfLists(
  stored: readonly string[],
  keys: readonly string[],
): Difference | undefined {
  const storedRecords = new Set(stored);
  const changed = stored.flatMap((key, position) =>
    key === keys[position] ? [] : [{ at: position, position, key: keys[position] }],
  );
  const isOther = changed.some(({ key }) => key === undefined || storedRecords.has(key));
  if (isOther || isMost(changed.length, stored.length)) return undefined;
  const added = keys.slice(stored.length).map((key, i) => ({ at: stored.length + i, key }));
  return { changed: changed as Difference["changed"], added };
}

function isMost(changed: number, stored: number): boolean {
  return changed > MOST_CHANGED || (changed > 10 && changed > stored / 2);
}
