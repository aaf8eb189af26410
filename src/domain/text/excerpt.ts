/** UTF-16 code units. */
const EXCERPT_LENGTH = 300;

/** Bounds the work for a text of megabytes. */
const MOST_READ = 4_096;

/**
 * Collapses white space, cuts between characters, and marks a cut with `…`; `undefined` for a blank text.
 * @param length in UTF-16 code units
 */
export function excerptOf(text: string, length: number = EXCERPT_LENGTH): string | undefined {
  const line = text.trimStart().slice(0, MOST_READ).replace(/\s+/g, " ").trim();
  if (line === "") return undefined;
  if (line.length <= length) return copyOf(line);
  return copyOf(`${line.slice(0, endOfCharacter(line, length - 1)).trimEnd()}…`);
}

/** A part of a string holds the complete string in memory. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

export function promptBeside(title: string | undefined, prompt: string | undefined): string | undefined {
  const line = title === undefined ? "" : title.replace(/\s+/g, " ").trim();
  return prompt === undefined || line.startsWith(prompt) ? undefined : prompt;
}

/** Never between the halves of a surrogate pair. */
function endOfCharacter(text: string, end: number): number {
  const isBetween = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1));
  return isBetween ? end - 1 : end;
}
