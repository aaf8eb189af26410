/**
 * Quotes and lists that one line opens inside each other. Nobody writes so many; each takes its time to parse, and a frame of the
 * stack to render.
 */
const MAX_NESTED = 50;

const DEEP_LINE = new RegExp(`^(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])[ \\t])){${MAX_NESTED + 1}}`, "m");

/** Whether a text is Markdown that is nested too deep to be rendered. */
export function isNestedTooDeep(markdown: string): boolean {
  return DEEP_LINE.test(markdown);
}
