export interface LineText {
  /** In the line; for a string, without quotes. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: "name" | "string" | "number";
  /** Also for elements of the member's array; `undefined` for names. */
  readonly member: string | undefined;
  /** Index of the object of a name, counted from 0; -1 for a value. */
  readonly object: number;
}

interface Open {
  readonly isArray: boolean;
  readonly object: number;
  member: string | undefined;
}

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Names, strings and numbers in order, at any depth. Without parsing into objects, no depth fills the stack, duplicate names remain, and
 * all other text stays as written.
 * @throws SyntaxError for invalid JSON: a text in it might be at a position that is not searched
 */
export function textsOfLine(line: string): LineText[] {
  JSON.parse(line);
  const texts: LineText[] = [];
  const open: Open[] = [];
  let objects = 0;
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    const inside = open[open.length - 1];
    if (char === '"') {
      const end = endOfString(line, i + 1);
      const text = unescaped(line.slice(i + 1, end));
      const isName = inside?.isArray === false && isBeforeColon(line, end + 1);
      if (isName) inside.member = text;
      texts.push({
        start: i + 1,
        end,
        text,
        kind: isName ? "name" : "string",
        member: isName ? undefined : inside?.member,
        object: isName ? inside.object : -1,
      });
      i = end;
    } else if (char === "{") open.push({ isArray: false, object: objects++, member: undefined });
    else if (char === "[") open.push({ isArray: true, object: -1, member: inside?.member });
    else if (char === "}" || char === "]") open.pop();
    else if (char === "-" || (char >= "0" && char <= "9")) {
      const end = endOfNumber(line, i + 1);
      texts.push({
        ...{ start: i, end, text: line.slice(i, end), kind: "number" },
        ...{ member: inside?.member, object: -1 },
      });
      i = end - 1;
    }
  }
  return texts;
}

function endOfString(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    let escapes = 0;
    while (line.charCodeAt(at - 1 - escapes) === BACKSLASH && at - 1 - escapes >= from) escapes++;
    if (escapes % 2 === 0) return at;
  }
  throw new SyntaxError("A string does not end.");
}

function unescaped(raw: string): string {
  return raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
}

function isBeforeColon(line: string, from: number): boolean {
  let at = from;
  while (at < line.length && line.charCodeAt(at) <= 32) at++;
  return line[at] === ":" && line.charCodeAt(from - 1) === QUOTE;
}

function endOfNumber(line: string, from: number): number {
  let at = from;
  while (at < line.length && /[\d.eE+-]/.test(line[at]!)) at++;
  return at;
}

/** Numbers of the session itself: usage, cost, time, counts. */
const MEASURES =
  /(?:tokens?|cost|usd|ms|at|counts?|calls|bytes|size|lines?|sequence|index|version|total|length|duration|time|timestamp|offset|limit|records|sessions|shows|turns|errors|warnings|code|pid|port|rate|percent|level|depth|width|height)$/i;

/** Excludes measurements, and numbers shorter than an ID. */
export function isLookedAt({ kind, text, member }: LineText): boolean {
  return kind !== "number" || (text.length >= 5 && member !== undefined && !MEASURES.test(member));
}
