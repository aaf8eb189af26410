/**
 * Works as `JSON.stringify`, but for any depth: the platform's function is recursive, and some thousands of levels fill the stack.
 * Returns `undefined` for values without JSON text.
 * @param leftOut names of members to omit at every level. Default is an empty set
 * @throws TypeError for a value that contains itself
 */
export function jsonTextOf(value: unknown, leftOut?: ReadonlySet<string>): string | undefined {
  const withoutThem =
    leftOut && ((name: string, member: unknown) => (leftOut.has(name) ? undefined : member));
  try {
    return JSON.stringify(value, withoutThem);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return textOfDeep(value, leftOut);
  }
}

interface OpenContainer {
  readonly value: object;
  /** `undefined` for an array. */
  readonly names: readonly string[] | undefined;
  readonly size: number;
  visited: number;
  isEmpty: boolean;
}

function textOfDeep(root: unknown, leftOut: ReadonlySet<string> | undefined): string {
  const parts: string[] = [];
  const open: OpenContainer[] = [];
  const opened = new Set<object>();
  let value = root;
  for (;;) {
    if (isContainer(value)) {
      if (opened.has(value)) throw new TypeError("The value contains itself: JSON has no text for it.");
      opened.add(value);
      const container = openContainer(value, leftOut);
      open.push(container);
      parts.push(container.names === undefined ? "[" : "{");
    } else parts.push(JSON.stringify(value) ?? "null");
    while (open.length > 0 && !goesOn(open[open.length - 1]!)) {
      const { value: written, names } = open.pop()!;
      opened.delete(written);
      parts.push(names === undefined ? "]" : "}");
    }
    const container = open[open.length - 1];
    if (container === undefined) return parts.join("");
    if (!container.isEmpty) parts.push(",");
    container.isEmpty = false;
    const { names } = container;
    const name = names?.[container.visited];
    if (name !== undefined) parts.push(JSON.stringify(name), ":");
    value = memberAt(container);
    container.visited++;
  }
}

function openContainer(value: object, leftOut: ReadonlySet<string> | undefined): OpenContainer {
  const names = Array.isArray(value) ? undefined : Object.keys(value).filter((name) => !leftOut?.has(name));
  return { value, names, size: (names ?? (value as unknown[])).length, visited: 0, isEmpty: true };
}

/** JSON omits object members without JSON text. */
function goesOn(container: OpenContainer): boolean {
  if (container.names !== undefined) {
    while (container.visited < container.size && !hasText(memberAt(container))) container.visited++;
  }
  return container.visited < container.size;
}

function memberAt({ value, names, visited }: OpenContainer): unknown {
  return names === undefined
    ? (value as readonly unknown[])[visited]
    : (value as { readonly [name: string]: unknown })[names[visited]!];
}

/** Objects with `toJSON`, such as dates, do not count. */
function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return typeof (value as { readonly toJSON?: unknown }).toJSON !== "function";
}

function hasText(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
