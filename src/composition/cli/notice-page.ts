import type { Context } from "hono";
import { INSPECTOR_PATH } from "../create-inspector-route.js";

/** What `/` shows: where the API is. */
export function noticePage(c: Context): Response {
  c.header("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'");
  c.header("X-Content-Type-Options", "nosniff");
  return c.html(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>agent-inspector</title>
<h1>agent-inspector</h1>
<p>This server answers a read-only HTTP API:</p>
<ul>
  <li><a href="${INSPECTOR_PATH}/sessions"><code>GET ${INSPECTOR_PATH}/sessions</code></a></li>
  <li><code>GET ${INSPECTOR_PATH}/sessions/:sessionId/trace?tenantId=…</code></li>
  <li><code>GET ${INSPECTOR_PATH}/sessions/:sessionId/orchestration?tenantId=…</code></li>
  <li><code>GET ${INSPECTOR_PATH}/sessions/:sessionId/messages?tenantId=…</code></li>
  <li><a href="${INSPECTOR_PATH}/health"><code>GET ${INSPECTOR_PATH}/health</code></a></li>
</ul>
</html>
`);
}
