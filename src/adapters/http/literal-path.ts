import type { Context } from "hono";

/** What Node.js knows of a request; `originalUrl` is what Express and its like keep when they cut the mount off `url`. */
interface NodeRequest {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
}

/**
 * What could make a path another one on its way: a segment of dots, also encoded, an empty segment, a backslash, white space, a
 * control character, the beginning of a fragment.
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

/** Whether a request target is a path that leads to the same place for everyone who reads it. */
export function isPlainTarget(target: string): boolean {
  return target.startsWith("/") && !AMBIGUOUS.test(pathOf(target));
}

/** The request target that the application was given: with what is encoded, and without what a host cut off. */
export function givenTarget(c: Context): string {
  return c.req.url.replace(ORIGIN, "");
}

/** The request target as the browser knows it, where a Node.js server tells, else the path that the application was given. */
export function shownTarget(c: Context): string {
  const { originalUrl, url } = incomingOf(c);
  return originalUrl ?? url ?? givenTarget(c);
}

/** Whether the request came with a plain target, through all who routed it. */
export function isPlainRequest(c: Context): boolean {
  const { originalUrl, url } = incomingOf(c);
  const given = givenTarget(c);
  // Hono's `mount` gives on a path that it decoded: then nothing may have been encoded that need not be.
  if (url !== undefined && pathOf(url) !== pathOf(given) && NEEDLESSLY_ENCODED.test(pathOf(url)))
    return false;
  return [originalUrl, url, given].every((target) => target === undefined || isPlainTarget(target));
}

/**
 * Whether the path spells the route that it was matched with, mount included. Hono decodes a path before it is routed, and `Request`
 * resolves its dots: a guard that stands before them, in the host's own router, has not seen the mount in a path that only becomes one
 * by that. Parameters may be encoded.
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
