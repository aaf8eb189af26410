/** Shorter texts are readable on one line; longer ones take too long to lay out. */
const MIN_LENGTH = 60;
const MAX_LENGTH = 500_000;

/** Bounds the size of the result. */
const MAX_INDENT = 20;

/** A string, punctuation, or anything else. The last string of a cut text may lack its end. */
const TOKEN = /\s*("[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\$)?|[{}[\],:]|[^\s{}[\],:"]+)\s*/y;
const SCALAR = /^(true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?)$/;

/**
 * Indents a long line without parsing values: digits and escapes stay. Also indents the beginning of a cut text.
 * @returns `undefined` for any other text
 */
export function indentedJson(text: string): string | undefined {
  const line = text.trim();
  if (line.length < MIN_LENGTH || line.length > MAX_LENGTH || line.includes("\n")) return undefined;
  if (line[0] !== "{" && line[0] !== "[") return undefined;
  const open: string[] = [];
  let result = "";
  let previous = "";
  const indent = () => `\n${"  ".repeat(Math.min(open.length, MAX_INDENT))}`;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < line.length) {
    const token = TOKEN.exec(line)?.[1];
    if (token === undefined || (previous !== "" && open.length === 0)) return undefined;
    const isLast = TOKEN.lastIndex >= line.length;
    if (token === "}" || token === "]") {
      if (open.pop() !== (token === "}" ? "{" : "[")) return undefined;
      result += previous === "{" || previous === "[" ? token : indent() + token;
    } else {
      if (!isToken(token) && !isLast) return undefined;
      if (previous === "," || previous === "{" || previous === "[") result += indent();
      if (token === "{" || token === "[") open.push(token);
      result += token === ":" ? ": " : token;
    }
    previous = token;
  }
  return result;
}

function isToken(token: string): boolean {
  if (token.startsWith('"')) return token.length > 1 && token.endsWith('"');
  return "{[,:".includes(token) || SCALAR.test(token);
}
