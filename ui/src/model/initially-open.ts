import { isJsonObject } from "../../../src/domain/json/json.js";

const MAX_DEPTH = 2;
/** Number of members rendered at first: enough for an event, too few for a table in it. */
const MAX_MEMBERS = 120;

/** The branches of a tree that are open at first: those near its root, up to a limit of members. */
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
