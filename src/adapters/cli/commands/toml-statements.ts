import { UnreadableSettingsError } from "./unreadable-settings-error.js";

export interface TomlStatement {
  /** `tables` is a header of an array of tables: `[[name]]`. */
  readonly kind: "table" | "tables" | "key" | "comment";
  readonly path: readonly string[];
  readonly from: number;
  readonly to: number;
}

/**
 * Statements of a TOML file (https://toml.io/en/v1.0.0), in order. It checks names, strings, brackets and line ends, but not numbers,
 * instants and duplicate names.
 * @throws UnreadableSettingsError with the line of the first fault
 */
export function tomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    const at = matchEnd(SPACES, text, from);
    to = matchEnd(LINE_END, text, at);
    if (to >= 0) {
      if (text[at] === "#") statements.push({ kind: "comment", path: [], from, to });
      continue;
    }
    const { kind, path, end } = text[at] === "[" ? headerAt(text, at) : keyAt(text, at, table);
    to = matchEnd(LINE_END, text, end);
    if (to < 0) throw fault(text, end, "the rest of the line is not a comment");
    if (kind !== "key") table = path;
    statements.push({ kind, path, from, to });
  }
  return statements;
}

interface Part {
  readonly kind: "table" | "tables" | "key";
  readonly path: readonly string[];
  readonly end: number;
}

const SPACES = /[ \t]*/y;
const SPACES_AND_LINES = /(?:[ \t\n]+|\r\n|#[^\r\n]*)*/y;
const LINE_END = /[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$)/y;
const BARE_KEY = /[\w-]+/y;
/** Numbers, instants (also with a space before the time) and booleans. */
const BARE_VALUE = /[\w.+:-]+(?: \d[\d.:Z+-]*)?/y;

function headerAt(text: string, at: number): Part {
  const isArray = text[at + 1] === "[";
  const { path, end } = nameAt(text, at + (isArray ? 2 : 1));
  const close = isArray ? "]]" : "]";
  if (!text.startsWith(close, end)) throw fault(text, end, `"${close}" is missing`);
  return { kind: isArray ? "tables" : "table", path, end: end + close.length };
}

function keyAt(text: string, at: number, table: readonly string[]): Part {
  const { path, end } = nameAt(text, at);
  if (text[end] !== "=") throw fault(text, end, `"=" is missing`);
  const value = matchEnd(SPACES, text, end + 1);
  return { kind: "key", path: [...table, ...path], end: valueEnd(text, value) };
}

function nameAt(text: string, from: number): { readonly path: string[]; readonly end: number } {
  const path: string[] = [];
  for (let at = from; ; at++) {
    const start = matchEnd(SPACES, text, at);
    const isQuoted = text[start] === '"' || text[start] === "'";
    const end = isQuoted ? stringEnd(text, start) : matchEnd(BARE_KEY, text, start);
    const isLong = /^("""|''')/.test(text.slice(start, start + 3));
    if (end < 0 || isLong) throw fault(text, start, "a name is missing");
    path.push(isQuoted ? unquote(text.slice(start, end)) : text.slice(start, end));
    at = matchEnd(SPACES, text, end);
    if (text[at] !== ".") return { path, end: at };
  }
}

function unquote(quoted: string): string {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted; // an escape that only TOML has
  }
}

/** Not recursive, so that no depth exhausts the stack. */
function valueEnd(text: string, from: number): number {
  const expected: string[] = [];
  let at = from;
  do {
    if (expected.length > 0) at = matchEnd(SPACES_AND_LINES, text, at);
    const character = text[at];
    if (character === undefined) throw fault(text, from, "a value is not complete");
    if (character === "[" || character === "{") {
      expected.push(character === "[" ? "]" : "}");
      at++;
    } else if (character === expected.at(-1)) {
      expected.pop();
      at++;
    } else if (character === '"' || character === "'") at = stringEnd(text, at);
    else if (expected.length > 0 && /[,=.]/.test(character)) at++;
    else {
      const end = matchEnd(BARE_VALUE, text, at);
      if (end < 0) throw fault(text, at, "a value is missing");
      at = end;
    }
  } while (expected.length > 0);
  return at;
}

function stringEnd(text: string, from: number): number {
  const quote = text[from]!;
  const isLong = text.startsWith(quote.repeat(3), from);
  const close = isLong ? quote.repeat(3) : quote;
  for (let at = from + close.length; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === "\n" && !isLong) break;
    else if (text.startsWith(close, at)) {
      let end = at + close.length;
      // Two quotes may stand before the closing ones.
      while (isLong && end < at + 5 && text[end] === quote) end++;
      return end;
    }
  }
  throw fault(text, from, "a string is not closed");
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function fault(text: string, at: number, problem: string): UnreadableSettingsError {
  return new UnreadableSettingsError(`line ${text.slice(0, at).split("\n").length} is not TOML: ${problem}`);
}
