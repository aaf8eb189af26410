/** A string or a number in a line of JSON. */
export interface LineText {
  /** Where it lies in the line; of a string without its quotes. */
  readonly start: number;
  readonly end: number;
  /** As it reads: without escapes. */
  readonly text: string;
  readonly kind: "name" | "string" | "number";
  /** The name of the member that it is the value of, or of the array that it is in; `undefined` for names, and where there is none. */
  readonly member: string | undefined;
  /** Which object of the line it is a name of, counted from 0; -1 for a value. */
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
 * All texts of a line of JSON, in their order: names, strings and numbers, at whatever depth. The line is not parsed into objects, so that no
 * depth fills the stack, a name that is there twice is there twice, and all that is not replaced stays as it was written.
 *
 * @throws SyntaxError for what is no JSON: a text in it might lie where none is looked for
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

/** Whether something may be found in it: a number is looked at that measures nothing and is as long as an id. */
export function isLookedAt({ kind, text, member }: LineText): boolean {
  return kind !== "number" || (text.length >= 5 && member !== undefined && !MEASURES.test(member));
}
