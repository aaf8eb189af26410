import { endpointAddress } from "./api/endpoint-address.js";
import { apiBase, engine } from "./app/engine.js";
import { loadFile } from "./app/page-files.js";
import { listQuery } from "./engine/sessions/list-protocol.js";
import { traceQuery } from "./engine/trace/trace-protocol.js";
import { maySummarize, parseAddress } from "./model/address/address.js";
import { VIEWS } from "./views/page/views.js";

// The engine's worker takes a moment to start, so the page itself requests one record at once: the service begins to read, and reads once
// for both.
const route = parseAddress(location.hash);
if (route.view === "session") {
  const { tenantId, sessionId } = route;
  const begun = { tenantId, sessionId, limit: 1 };
  const isSummary = maySummarize(route.tab);
  warmUp(endpointAddress(apiBase(), isSummary ? "/sessions" : "/sessions/{sessionId}/trace", begun));
  void engine.call("openSession", route, traceQuery(route.query), isSummary);
}
if (route.view === "sessions") {
  const query = listQuery(route.query);
  warmUp(endpointAddress(apiBase(), "/sessions", { q: query.filters.q, limit: 1 }));
  void engine.call("askList", query);
}

const [{ show }] = await Promise.all([
  loadFile(() => import("./views/page/app.js")),
  route.view === "unknown" ? undefined : VIEWS[route.view]().catch(() => undefined),
]);
show(document.getElementById("app")!);

function warmUp(address: string): void {
  fetch(address, { cache: "no-store" }).then(
    (answer) => answer.body?.cancel(),
    () => undefined,
  );
}
