import { isJsonObject } from "../../../../src/domain/json/json.js";

const MAX_DEPTH = 2;
/** Enough for an event, too few for a table in it. */
const MAX_MEMBERS = 120;

export function initiallyOpen(root: unknown): ReadonlySet<unknown> {
  const opened = new Set<unknown>();
  let members = membersOf(root).length;
  let level = membersOf(root);
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const next: unknown[] = [];
    for (const value of level) {
      const inside = membersOf(value);
      if (inside.length === 0 || members + inside.length > MAX_MEMBERS) continue;
      members += inside.length;
      opened.add(value);
      next.push(...inside);
    }
    level = next;
  }
  return opened;
}

function membersOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) || isJsonObject(value) ? Object.values(value) : [];
}
