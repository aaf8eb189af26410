/** A record of a source that is not stored. */
interface MissingRecord {
  /** Its position in the source. */
  readonly at: number;
  readonly key: string;
}

/** Writes that make the stored records equal to a source's. */
export interface Difference {
  /** Replacements of records, by the stored position. */
  readonly changed: readonly (MissingRecord & { readonly position: number })[];
  /** Records after all others. */
  readonly added: readonly MissingRecord[];
}

/** Maximum number of changed records; with more changes, all records are written again. */
const MOST_CHANGED = 1_000;

/**
 * The difference of two sets of records, whose order says nothing. A record that changed gets the place of one that is there no more.
 *
 * @param stored the keys of stored records, by position
 * @param keys the keys of a source's records, by position
 * @returns `undefined` where there are fewer than were, or most changed
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

/** The same of two lists, whose records keep their order. */
export function differenceOfLists(
  stored: readonly string[],
  keys: readonly string[],
): Difference | undefined {
  const known = new Set(stored);
  const changed = stored.flatMap((key, position) =>
    key === keys[position] ? [] : [{ at: position, position, key: keys[position] }],
  );
  const isOther = changed.some(({ key }) => key === undefined || known.has(key));
  if (isOther || isMost(changed.length, stored.length)) return undefined;
  const added = keys.slice(stored.length).map((key, i) => ({ at: stored.length + i, key }));
  return { changed: changed as Difference["changed"], added };
}

function isMost(changed: number, stored: number): boolean {
  return changed > MOST_CHANGED || (changed > 10 && changed > stored / 2);
}
