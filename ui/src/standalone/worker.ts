import { openArchive } from "../../../src/adapters/archive/archive-source.js";
import { unpackArchive } from "../../../src/adapters/archive/unpack-archive.js";
import type { ModelPrices } from "../../../src/adapters/prices/own-prices.js";
import { createInspectorRoute } from "../../../src/composition/edge-inspector.js";
import { askBy } from "../api/transport.js";
import { serveEngine } from "../engine/serve-engine.js";
import { stopClock } from "../model/live/live-now.js";
import { serveLayout } from "../views/agents/serve-layout.js";
import type { FirstMessage, Opened } from "./protocol.js";

/** TypeScript's `dom` library types a worker's global scope as a window. */
const scope = globalThis as unknown as {
  postMessage(message: Opened): void;
  addEventListener(
    type: "message",
    listener: (event: MessageEvent<FirstMessage>) => void,
    options: AddEventListenerOptions,
  ): void;
};

scope.addEventListener(
  "message",
  ({ data }) => {
    if (data.serve === "layout") return serveLayout();
    serveArchive(data.archive).then(
      (opened) => scope.postMessage(opened),
      (error: unknown) =>
        scope.postMessage({ failure: error instanceof Error ? error.message : String(error) }),
    );
  },
  { once: true },
);

/** Answers all requests of the engine from the archive. */
async function serveArchive(archive: Uint8Array): Promise<Opened> {
  const { source, head } = await openArchive(unpackArchive([archive]));
  const app = createInspectorRoute(source, { prices: head.prices as ModelPrices | false | undefined });
  askBy(async (address, init) => app.request(new URL(address).pathname + new URL(address).search, init));
  stopClock(Date.parse(head.exportedAt));
  serveEngine();
  const sessions = await source.listSessions();
  return { head, sessions: sessions.map(({ tenantId, sessionId }) => ({ tenantId, sessionId })) };
}
