/** Where in a history a text is found; `other` is whatever else a record holds. */
export const CONTENT_KINDS = ["text", "thinking", "input", "output", "error", "other"] as const;

/**
 * - `text`: what users and models said, and what else was said in the conversation.
 * - `thinking`: reasoning.
 * - `input`, `output`: of a tool.
 * - `error`: the output of a tool that failed, and errors.
 * - `other`: every other text: names, paths and whatever a tool recorded besides. Ids and types are not searched.
 */
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** What is searched unless something else is asked for: what people read, without the bookkeeping. */
export const DEFAULT_KINDS: readonly ContentKind[] = ["text", "thinking", "input", "output", "error"];

/** What is looked for in each text of a history. */
export interface SearchQuery {
  /** `text` is found as it stands; `pattern` is a regular expression of RE2's syntax. */
  readonly kind: "text" | "pattern";
  /** Not empty. */
  readonly text: string;
  /** Whether capitals and small letters differ. */
  readonly isExact: boolean;
}

const PATTERN = "re:";
const CAPITAL = /\p{Lu}/u;

/**
 * What a person typed. Text is found in any case, unless it has a capital; text in double quotes is found exactly; `re:` begins
 * a regular expression, in which `(?i)` ignores case.
 *
 * @returns `undefined` where nothing is left to look for
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
