export const CONTENT_KINDS = ["text", "thinking", "input", "output", "error", "other"] as const;

/**
 * - `text`: conversation texts.
 * - `thinking`: reasoning.
 * - `input`, `output`: of a tool.
 * - `error`: the output of a failed tool, and errors.
 * - `other`: every other text, such as names and paths. Ids and types are not searched.
 */
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** Default: everything that people read, without the bookkeeping. */
export const DEFAULT_KINDS: readonly ContentKind[] = ["text", "thinking", "input", "output", "error"];

export interface SearchQuery {
  /** `text` matches literally; `pattern` is a regular expression in RE2's syntax. */
  readonly kind: "text" | "pattern";
  /** Not empty. */
  readonly text: string;
  /** True if the case must match. */
  readonly isExact: boolean;
}

const PATTERN = "re:";
const CAPITAL = /\p{Lu}/u;

/**
 * Parses a typed query. A text matches in any case, unless it has a capital letter; a text in double quotes matches exactly; `re:` begins
 * a regular expression, and `(?i)` in it ignores case.
 *
 * @returns `undefined` for an empty query
 *
 * @example
 * parseSearchQuery("router") // { kind: "text", text: "router", isExact: false }
 * parseSearchQuery('"router"') // { kind: "text", text: "router", isExact: true }
 * parseSearchQuery("re:foo\\d+") // { kind: "pattern", text: "foo\\d+", isExact: true }
 */
export function parseSearchQuery(typed: string): SearchQuery | undefined {
  if (typed.startsWith(PATTERN)) return query("pattern", typed.slice(PATTERN.length), true);
  const quoted = /^"(.+)"$/s.exec(typed)?.[1];
  if (quoted !== undefined) return query("text", quoted, true);
  return query("text", typed, CAPITAL.test(typed));
}

function query(kind: SearchQuery["kind"], text: string, isExact: boolean): SearchQuery | undefined {
  return text === "" ? undefined : { kind, text, isExact };
}
