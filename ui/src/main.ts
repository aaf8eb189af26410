import { sessionResourceAddress, sessionsAddress } from "./api/endpoints.js";
import { apiBase, engine } from "./app/engine.js";
import { listQuery } from "./engine/list-protocol.js";
import { traceQuery } from "./engine/trace-protocol.js";
import { parseAddress } from "./model/address.js";

// The engine reads what the address names while the rest of the page is still on its way. The service is told of it at once,
// because the engine's own worker takes a moment to start: what both ask for is looked through once.
const route = parseAddress(location.hash);
if (route.view === "session") {
  announce(sessionResourceAddress(apiBase(), route, "trace"));
  void engine.call("openSession", route, traceQuery(route.query));
}
if (route.view === "sessions") {
  const query = listQuery(route.query);
  announce(sessionsAddress(apiBase(), query.filters, 1));
  void engine.call("askList", query);
}

const { show } = await import("./views/page/app.js");
show(document.getElementById("app")!);

/** Asks for one record of a list, and wants nothing of the answer: whether there is one is told by the engine. */
function announce(address: string): void {
  const one = new URL(address);
  one.searchParams.set("limit", "1");
  fetch(one, { cache: "no-store" }).then(
    (answer) => answer.body?.cancel(),
    () => undefined,
  );
}
