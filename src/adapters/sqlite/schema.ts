export interface CreatedColumns {
  readonly names: readonly string[];
  /** Alias of the row's number; the row does not store its value. */
  readonly rowidColumn: string | undefined;
  readonly rest: string;
}

/** A word, a quoted text or another sign. An unclosed token ends with the text: searching its end at each sign would be quadratic. */
const TOKENS =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|'(?:[^']|'')*(?:'|$)|[\w$\u0080-\uffff]+|\S/g;

const NO_COLUMN = new Set(["constraint", "primary", "unique", "check", "foreign"]);

/** `undefined` if the statement creates no table, or a module creates it. */
export function createdColumns(sql: string): CreatedColumns | undefined {
  const tokens = (sql.match(TOKENS) ?? []).filter((token) => !/^(--|\/\*)/.test(token));
  const from = tokens.indexOf("(");
  if (from === -1 || tokens[1]?.toLowerCase() === "virtual") return undefined;
  const definitions: string[][] = [[]];
  let depth = 1;
  let at = from + 1;
  for (; at < tokens.length && depth > 0; at++) {
    const token = tokens[at]!;
    depth += token === "(" ? 1 : token === ")" ? -1 : 0;
    if (depth === 1 && token === ",") definitions.push([]);
    else if (depth > 0) definitions.at(-1)!.push(token);
  }
  const columns = definitions.filter(([name]) => name !== undefined && !NO_COLUMN.has(name.toLowerCase()));
  return {
    names: columns.map(([name]) => unquoted(name!)),
    rowidColumn: rowidColumnOf(columns, definitions),
    rest: tokens.slice(at).join(" ").toLowerCase(),
  };
}

function rowidColumnOf(columns: readonly string[][], definitions: readonly string[][]): string | undefined {
  const text = (tokens: readonly string[]) => tokens.join(" ").toLowerCase();
  const integers = columns.filter(([, type]) => type?.toLowerCase() === "integer");
  const own = integers.find((column) => /primary key(?! desc)/.test(text(column)));
  const key = definitions.map((one) => /primary key \( (\S+) \)/.exec(text(one))?.[1]).find(Boolean);
  const named = integers.find(([name]) => name!.toLowerCase() === key);
  const [name] = own ?? named ?? [];
  return name === undefined ? undefined : unquoted(name);
}

function unquoted(name: string): string {
  const quote = name[0]!;
  if (quote === "[") return name.slice(1, -1);
  return "\"`'".includes(quote) ? name.slice(1, -1).replaceAll(quote + quote, quote) : name;
}
