import { layoutGraph } from "./layout-graph.js";
import type { LayoutRequest } from "./layout-messages.js";

/** The part of a worker's global scope that is used here; TypeScript's `dom` library types it as a window. */
const scope = globalThis as unknown as {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent<LayoutRequest>) => void): void;
};

/** Answers requests for layouts, in a worker. */
export function serveLayout(): void {
  scope.addEventListener("message", ({ data }) => scope.postMessage(layoutGraph(data)));
}
