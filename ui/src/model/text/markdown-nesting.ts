/** Real texts have fewer quotes and lists inside each other per line. Each level takes time to parse, and a stack frame to render. */
const MAX_NESTED = 50;

const DEEP_LINE = new RegExp(`^(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])[ \\t])){${MAX_NESTED + 1}}`, "m");

export function isNestedTooDeep(markdown: string): boolean {
  return DEEP_LINE.test(markdown);
}
