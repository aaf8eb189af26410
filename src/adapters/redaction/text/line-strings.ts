/** A string or a number in a line of JSON. */
export interface LineText {
  /** Start position in the line; for a string, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** As it reads: without escapes. */
  readonly text: string;
  readonly kind: "name" | "string" | "number";
  /** The name of the member whose value it is, or of the array that contains it; `undefined` for names, and without such a member. */
  readonly member: string | undefined;
  /** Index of the line's object whose name it is, counted from 0; -1 for a value. */
  readonly object: number;
}

/** An object or an array that is open. */
interface Open {
  readonly isArray: boolean;
  readonly object: number;
  member: string | undefined;
}

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Returns all texts of a line of JSON, in order: names, strings and numbers, at any depth. The line is not parsed into objects. So no
 * depth fills the stack, duplicate names stay duplicate, and everything that is not replaced stays as it was written.
 *
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

/** Members whose numbers are a session's own: what it used and cost, when it was, and how much of something there is. */
const MEASURES =
  /(?:tokens?|cost|usd|ms|at|counts?|calls|bytes|size|lines?|sequence|index|version|total|length|duration|time|timestamp|offset|limit|records|sessions|shows|turns|errors|warnings|code|pid|port|rate|percent|level|depth|width|height)$/i;

/** True if it is searched. Numbers are searched if they are not measurements and are as long as an ID. */
export function isLookedAt({ kind, text, member }: LineText): boolean {
  return kind !== "number" || (text.length >= 5 && member !== undefined && !MEASURES.test(member));
}
