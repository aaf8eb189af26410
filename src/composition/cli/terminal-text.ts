/** What may not reach a terminal: control characters, and those that turn the direction of text. Each is one code unit. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text in one line, without anything that a terminal could take for a command. */
export function plainText(text: string): string {
  return text.replace(UNSAFE, "\ufffd");
}

/** JSON text in which what a terminal could take for a command is escaped, as JSON allows it. */
export function plainJson(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
