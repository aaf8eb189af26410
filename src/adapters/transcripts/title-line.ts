/** How long a title is at most. */
const TITLE_LENGTH = 100;

/** A text as a title: one line, cut; `undefined` where it is blank. */
export function titleLine(text: string): string | undefined {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return undefined;
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…`;
}
