import type { Context } from "hono";

/** Express and similar hosts keep the full path in `originalUrl` when they cut the mount off `url`. */
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

const NEEDLESSLY_ENCODED = /%(?:2d|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i;

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

export function pathOf(target: string): string {
  return target.split("?", 1)[0] || "/";
}

/** True if every reader resolves the target to the same location. */
export function isPlainTarget(target: string): boolean {
  return target.startsWith("/") && !AMBIGUOUS.test(pathOf(target));
}

export function requestTarget(c: Context): string {
  return c.req.url.replace(ORIGIN, "");
}

/** The browser's request target if Node.js provides it, else the path that the application received. */
export function displayTarget(c: Context): string {
  const { originalUrl, url } = incomingOf(c);
  return originalUrl ?? url ?? requestTarget(c);
}

export function isPlainRequest(c: Context): boolean {
  const { originalUrl, url } = incomingOf(c);
  const target = requestTarget(c);
  // Hono's `mount` passes on a decoded path: then no character may have been encoded needlessly.
  if (url !== undefined && pathOf(url) !== pathOf(target) && NEEDLESSLY_ENCODED.test(pathOf(url)))
    return false;
  return [originalUrl, url, target].every((target) => target === undefined || isPlainTarget(target));
}

/**
 * True if the path spells the matched route with its mount; parameters may be encoded. Hono decodes a path and `Request` resolves its
 * dots, but a guard in the host's router sees the path before that.
 */
export function spellsRoute(c: Context): boolean {
  if (!isPlainRequest(c)) return false;
  const wanted = segmentsOf(c.req.routePath.replace(/\/\*$/, ""));
  const spelled = segmentsOf(pathOf(requestTarget(c)).replace(/\/$/, ""));
  // From the end, because the host's `getPath` may add or remove the beginning of the path.
  return wanted.reverse().every((segment, i) => {
    const matches = spelled.at(-1 - i);
    const isParameter = segment === "*" || segment.startsWith(":");
    return isParameter || matches === undefined || matches === segment || matches === encodeURI(segment);
  });
}

const segmentsOf = (path: string): string[] => path.split("/").slice(1);

/** `@hono/node-server` passes it beside the request. If a host passed on the request alone, a symbol of the request has it. */
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
