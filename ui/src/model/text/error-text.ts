/** Browsers, and Vite's loader of styles, report a missing file with these. */
const MISSING =
  /dynamically imported module|importing a module script|unable to preload css|error loading .*module/i;
/** Addresses and folders are private: pictures of the page must not contain them. */
const ADDRESS = /\b[a-z][a-z\d+.-]*:\/\/\S+/gi;
const PATH = /(?<![\w.])(?:[a-z]:)?(?:[\\/][\w.@~-]+){2,}[\\/]?/gi;
const MOST = 300;

export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && MISSING.test(error.message);
}

/**
 * One line without addresses and paths.
 * @example errorText(new TypeError("no x in /home/ada/a.ts")) // "TypeError: no x in …"
 */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const visible = text.replace(ADDRESS, "…").replace(PATH, "…").replace(/\s+/g, " ").trim();
  return visible.length > MOST ? `${visible.slice(0, MOST)}…` : visible;
}
