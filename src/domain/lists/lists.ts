/** Elements by what they have in common: groups in the order of their first elements, elements in theirs. */
export function groupBy<Element, Key>(
  elements: Iterable<Element>,
  keyOf: (element: Element) => Key,
): Map<Key, Element[]> {
  const groups = new Map<Key, Element[]>();
  for (const element of elements) addTo(groups, keyOf(element), element);
  return groups;
}

/** Adds an element to the group of a key. */
export function addTo<Key, Element>(groups: Map<Key, Element[]>, key: Key, element: Element): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [element]);
  else group.push(element);
}

/**
 * The first number from `from` on, and below `to`, for which something holds; `to` where it holds for none. A binary search: it holds for
 * all that are greater, too.
 */
export function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
