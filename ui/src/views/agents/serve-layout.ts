import { layoutGraph } from "./layout-graph.js";
import type { LayoutRequest } from "./layout-messages.js";

/** TypeScript's `dom` library types a worker's global scope as a window. */
const scope = globalThis as unknown as {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent<LayoutRequest>) => void): void;
};

export function serveLayout(): void {
  scope.addEventListener("message", ({ data }) => scope.postMessage(layoutGraph(data)));
}
