/**
 * Maximum number of quotes and lists that one line may open inside each other. Real texts stay below it. Each level takes time to parse,
 * and a stack frame to render.
 */
const MAX_NESTED = 50;

const DEEP_LINE = new RegExp(`^(?:[ \\t]*(?:>|(?:[-+*]|\\d{1,9}[.)])[ \\t])){${MAX_NESTED + 1}}`, "m");

/** True if a text is Markdown that is nested too deep to be rendered. */
export function isNestedTooDeep(markdown: string): boolean {
  return DEEP_LINE.test(markdown);
}
