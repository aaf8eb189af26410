import type { Context } from "hono";

/** Request fields of Node.js. Express and similar hosts store the full path in `originalUrl` when they cut the mount off `url`. */
interface NodeRequest {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
}

/**
 * Characters that could change the path on its way: a segment of dots, also encoded, an empty segment, a backslash, white space, a
 * control character, or the start of a fragment.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const AMBIGUOUS = /\/\/|\/\.{1,2}(?:\/|$)|%2e|[\\#\u0000-\u0020\u007f]/i;

/** A letter, a digit, `-`, `_` or `~`. */
const NEEDLESSLY_ENCODED = /%(?:2d|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i;

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** Without the query. */
export function pathOf(target: string): string {
  return target.split("?", 1)[0] || "/";
}

/** True if a request target is a path that every reader resolves to the same location. */
export function isPlainTarget(target: string): boolean {
  return target.startsWith("/") && !AMBIGUOUS.test(pathOf(target));
}

/** Returns the request target that the application received: with encoded characters, and without the part that a host cut off. */
export function givenTarget(c: Context): string {
  return c.req.url.replace(ORIGIN, "");
}

/**
 * Returns the request target from the browser, if a Node.js server provides it. Otherwise returns the path that the application received.
 */
export function shownTarget(c: Context): string {
  const { originalUrl, url } = incomingOf(c);
  return originalUrl ?? url ?? givenTarget(c);
}

/** True if the request's target was plain at every router on its way. */
export function isPlainRequest(c: Context): boolean {
  const { originalUrl, url } = incomingOf(c);
  const given = givenTarget(c);
  // Hono's `mount` gives on a path that it decoded: then nothing may have been encoded that need not be.
  if (url !== undefined && pathOf(url) !== pathOf(given) && NEEDLESSLY_ENCODED.test(pathOf(url)))
    return false;
  return [originalUrl, url, given].every((target) => target === undefined || isPlainTarget(target));
}

/**
 * True if the path spells the matched route, including the mount. Hono decodes a path before routing it, and `Request` resolves its dots.
 * A guard in the host's router sees the path before that. It does not recognize the mount in a path that only decoding turns into the
 * mount. Parameters may be encoded.
 */
export function spellsRoute(c: Context): boolean {
  if (!isPlainRequest(c)) return false;
  const wanted = segmentsOf(c.req.routePath.replace(/\/\*$/, ""));
  const spelled = segmentsOf(pathOf(givenTarget(c)).replace(/\/$/, ""));
  // From the end, because a `getPath` of the host's may put something before the path, or take something away.
  return wanted.reverse().every((segment, i) => {
    const found = spelled.at(-1 - i);
    const isParameter = segment === "*" || segment.startsWith(":");
    return isParameter || found === undefined || found === segment || found === encodeURI(segment);
  });
}

const segmentsOf = (path: string): string[] => path.split("/").slice(1);

/** `@hono/node-server` gives it beside the request. Where a host handed on the request alone, it is in that, by a symbol. */
function incomingOf(c: Context): NodeRequest {
  const { incoming } = Object(c.env) as { readonly incoming?: unknown };
  const { raw } = c.req;
  const inside = () =>
    Object.getOwnPropertySymbols(raw)
      .map((symbol): unknown => Reflect.get(raw, symbol))
      .find((value) => Array.isArray(Object(value).rawHeaders));
  const { url, originalUrl } = Object(incoming ?? inside()) as Readonly<Record<string, unknown>>;
  return {
    url: typeof url === "string" ? url : undefined,
    originalUrl: typeof originalUrl === "string" ? originalUrl : undefined,
  };
}
