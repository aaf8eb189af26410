/** Messages of browsers, and of the loader of a view's styles, for a file of the page that could not be loaded. */
const MISSING =
  /dynamically imported module|importing a module script|unable to preload css|error loading .*module/i;
/** Addresses, and folders of a machine: of whoever sees a picture of the page, they are nobody's business. */
const ADDRESS = /\b[a-z][a-z\d+.-]*:\/\/\S+/gi;
const PATH = /(?<![\w.])(?:[a-z]:)?(?:[\\/][\w.@~-]+){2,}[\\/]?/gi;
const MOST = 300;

/** True if a view failed because a file of it could not be loaded. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && MISSING.test(error.message);
}

/**
 * Returns the displayed text of an error: one line, without addresses and paths.
 *
 * @example errorText(new TypeError("no x in /home/ada/a.ts")) // "TypeError: no x in …"
 */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const shown = text.replace(ADDRESS, "…").replace(PATH, "…").replace(/\s+/g, " ").trim();
  return shown.length > MOST ? `${shown.slice(0, MOST)}…` : shown;
}
