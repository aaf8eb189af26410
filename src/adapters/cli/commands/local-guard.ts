import type { MiddlewareHandler } from "hono";

export interface LocalGuardOptions {
  readonly authorities: readonly string[];
}

/**
 * Protects a local server without a password against web pages of other parties.
 * - DNS rebinding shows in `Host`: only the server's own names are accepted. A request in absolute form (`GET http://name/path`) names
 *   its host twice: both must match.
 * - Another origin shows in `Origin`, or else in `Sec-Fetch-Site`. `same-site` is refused too: another port of localhost is another
 *   program.
 * - No frame may display the page.
 */
export function localGuard({ authorities }: LocalGuardOptions): MiddlewareHandler {
  const own = new Set(authorities.map(withoutDefaultPort));
  return async (c, next) => {
    const refusal = refusalOf(own, {
      host: c.req.header("Host"),
      url: c.req.url,
      origin: c.req.header("Origin"),
      fetchSite: c.req.header("Sec-Fetch-Site"),
    });
    if (refusal === undefined) await next();
    else c.res = forbidden(refusal);
    c.header("X-Frame-Options", "DENY");
    c.header("Content-Security-Policy", "frame-ancestors 'none'", { append: true });
    c.header("Cross-Origin-Resource-Policy", "same-origin");
  };
}

interface Caller {
  readonly host: string | undefined;
  readonly url: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

function refusalOf(own: ReadonlySet<string>, { host, url, origin, fetchSite }: Caller): string | undefined {
  const isOwn = (authority: string) => own.has(withoutDefaultPort(authority));
  if (host === undefined || !isOwn(host) || !isOwn(new URL(url).host)) {
    return `This server answers for ${[...own].join(", ")} only. Start it with --host to let it answer for another name.`;
  }
  if (origin !== undefined && !isOwnOrigin(own, origin)) {
    return "Another site may not read this server.";
  }
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none") {
    return "Another site may not read this server. To open it from a link, copy the address into the browser.";
  }
  return undefined;
}

function isOwnOrigin(own: ReadonlySet<string>, origin: string): boolean {
  const authority = /^https?:\/\/(.+)$/.exec(origin)?.[1];
  return authority !== undefined && own.has(withoutDefaultPort(authority));
}

/** Browsers omit the port 80, and write names in lower case. */
function withoutDefaultPort(authority: string): string {
  return authority.toLowerCase().replace(/:80$/, "");
}

function forbidden(detail: string): Response {
  return new Response(JSON.stringify({ type: "about:blank", title: "Forbidden", status: 403, detail }), {
    status: 403,
    headers: {
      "Content-Type": "application/problem+json; charset=utf-8",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    },
  });
}
