/** A text, and whether capitals and small letters differ in it. */
export interface Literal {
  readonly text: string;
  readonly isExact: boolean;
}

/** Flags for the whole of an expression; only `i` concerns its texts. */
const FLAGS = /^\(\?([imsU]+)\)/;

/** What this reader does not follow: flags within, quotations, code points by number, classes by name. */
const UNKNOWN = /\(\?[\w-]*\)|\\[^dDwWsSbBAzntrfva\W]|\\\P{ASCII}/u;

/** A class, an escape, a repetition, or a character. */
const TOKEN = /\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\\.|\{\d+(?:,\d*)?\}|./gsu;

/**
 * A text that stands in everything that a regular expression of RE2's syntax finds: the longest of those that lie outside of
 * groups, repetitions and alternatives.
 *
 * @returns `undefined` where none is certain
 */
export function literalOf(expression: string): Literal | undefined {
  const flags = FLAGS.exec(expression);
  const isExact = !flags?.[1]?.includes("i");
  const rest = expression.slice(flags?.[0].length ?? 0);
  if (UNKNOWN.test(rest)) return undefined;
  const texts: string[] = [];
  let text: string[] = [];
  let depth = 0;
  const end = () => {
    texts.push(text.join(""));
    text = [];
  };
  for (const [token] of rest.matchAll(TOKEN)) {
    const literal = textOf(token, isExact);
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (depth === 0 && token === "|") return undefined;
    if (depth === 0 && literal !== undefined) text.push(literal);
    else {
      if (depth === 0 && isOptional(token)) text.pop();
      end();
    }
  }
  end();
  const longest = texts.reduce((best, one) => (one.length > best.length ? one : best));
  return longest === "" ? undefined : { text: longest, isExact };
}

/** Whether it takes the character before it away. */
function isOptional(token: string): boolean {
  return token === "*" || token === "?" || (token.startsWith("{") && token.length > 1);
}

/** The one character that a token finds. */
function textOf(token: string, isExact: boolean): string | undefined {
  if (/^[()|.^$*+?]$/.test(token) || (token.length > 2 && /^[[{]/.test(token))) return undefined;
  if (/^\\\w/.test(token)) return undefined;
  const character = token.replace(/^\\(?=.)/s, "");
  // Case ignored, RE2 takes more characters for the same than JavaScript: the Kelvin sign for k, the long s for s.
  return isExact || (/^\p{ASCII}$/u.test(character) && !/[ks]/i.test(character)) ? character : undefined;
}
