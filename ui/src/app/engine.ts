import { EngineClient } from "../engine/engine-client.js";

/** Whoever serves the page says where the API is; a path is one of the page's own origin. */
export function apiBase(): string {
  const told = document.querySelector<HTMLMetaElement>('meta[name="inspector-api"]')?.content;
  return new URL(told || "/__inspector", location.origin).href.replace(/\/+$/, "");
}

const worker = new Worker(new URL("../engine/engine-worker.ts", import.meta.url), { type: "module" });

/** The one engine of the page. */
export const engine = new EngineClient(worker, apiBase());
