import type { ContextItem } from "./context-item.js";

/**
 * Where two conversations say something else for the first time:
 * - `argument`: the same tool is called with something else.
 * - `result`: a tool gave something else back.
 * - `message`: anything else that is said is another thing, or in another place.
 * - `order`: both say the same, in another order.
 * - `end`: one of them ends, and the other goes on.
 */
export type DifferenceKind = "argument" | "result" | "message" | "order" | "end";

export interface ItemDifference {
  readonly kind: DifferenceKind;
  /** How many items are the same before it. */
  readonly at: number;
  /** Absent of the one that has ended. */
  readonly items: readonly [ContextItem | undefined, ContextItem | undefined];
}

/** What is compared of a conversation: all that a model was told, asked and answered. What it thought is recorded by some tools alone. */
export function comparedItems(items: readonly ContextItem[]): readonly ContextItem[] {
  return items.filter(({ part, text }) => part !== "thinking" && (part !== "text" || text !== ""));
}

/** The first difference of two conversations; `undefined` where both say the same. Ids, instants and shapes do not count. */
export function firstDifference(
  a: readonly ContextItem[],
  b: readonly ContextItem[],
): ItemDifference | undefined {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a[at]!.hash === b[at]!.hash) at++;
  if (at === a.length && at === b.length) return undefined;
  const items = [a[at], b[at]] as const;
  return { kind: kindOf(items, a, b), at, items };
}

function kindOf(
  [one, other]: ItemDifference["items"],
  a: readonly ContextItem[],
  b: readonly ContextItem[],
): DifferenceKind {
  if (one === undefined || other === undefined) return "end";
  if (a.length === b.length && areSameSets(a, b)) return "order";
  if (one.part === "call" && other.part === "call" && one.toolName === other.toolName) return "argument";
  return one.part === "result" && other.part === "result" ? "result" : "message";
}

function areSameSets(a: readonly ContextItem[], b: readonly ContextItem[]): boolean {
  const sorted = (items: readonly ContextItem[]) => Float64Array.from(items, ({ hash }) => hash).sort();
  const others = sorted(b);
  return sorted(a).every((hash, i) => hash === others[i]);
}
