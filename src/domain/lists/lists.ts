/** Groups are in the order of their first elements. */
export function groupBy<Element, Key>(
  elements: Iterable<Element>,
  keyOf: (element: Element) => Key,
): Map<Key, Element[]> {
  const groups = new Map<Key, Element[]>();
  for (const element of elements) addTo(groups, keyOf(element), element);
  return groups;
}

export function addTo<Key, Element>(groups: Map<Key, Element[]>, key: Key, element: Element): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [element]);
  else group.push(element);
}

/** Binary search: `holds` must stay true after its first true. Returns `to` if it holds for none. */
export function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
