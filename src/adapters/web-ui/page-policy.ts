/**
 * The page may load its own files, show images inside messages, and call the API. A history is hostile input: its content can neither run
 * nor send data elsewhere.
 */
function contentSecurityPolicy(apiOrigin: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${apiOrigin === undefined ? "" : ` ${apiOrigin}`}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** An answer of the API has no rights when it is opened as a page. */
export const API_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
} as const;

export function pageHeaders(apiOrigin: string | undefined): { readonly [name: string]: string } {
  return {
    "Content-Security-Policy": contentSecurityPolicy(apiOrigin),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
  };
}
