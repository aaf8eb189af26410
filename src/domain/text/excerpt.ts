/** Maximum length of a prompt or an answer in a list, in UTF-16 code units. */
const EXCERPT_LENGTH = 300;

/** A text is looked into no further than this, so that one of megabytes costs no more. */
const MOST_READ = 4_096;

/**
 * Returns the start of a text in one line: white space collapsed, cut between characters, with `…` at a cut; `undefined` for a blank
 * text.
 *
 * @param length maximum length, in UTF-16 code units
 */
export function excerptOf(text: string, length: number = EXCERPT_LENGTH): string | undefined {
  const line = text.trimStart().slice(0, MOST_READ).replace(/\s+/g, " ").trim();
  if (line === "") return undefined;
  if (line.length <= length) return copyOf(line);
  return copyOf(`${line.slice(0, endOfCharacter(line, length - 1)).trimEnd()}…`);
}

/** Copies a string: a part of another string holds the complete string in memory. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Returns the prompt, unless the title repeats it. */
export function promptBeside(title: string | undefined, prompt: string | undefined): string | undefined {
  const said = title === undefined ? "" : title.replace(/\s+/g, " ").trim();
  return prompt === undefined || said.startsWith(prompt) ? undefined : prompt;
}

/** The last place up to there that is not between the two halves of a character. */
function endOfCharacter(text: string, end: number): number {
  const isBetween = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1));
  return isBetween ? end - 1 : end;
}
