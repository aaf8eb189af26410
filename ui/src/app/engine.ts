import { EngineClient } from "../engine/engine-client.js";

/** The address of the API, from a tag that whoever serves the page may rewrite: it is relative to the page. */
export function apiBase(): string {
  const configured = document.querySelector<HTMLMetaElement>('meta[name="inspector-api"]')?.content;
  return new URL(configured || "./__inspector", location.href).href.replace(/\/+$/, "");
}

const worker = new Worker(new URL("../engine/engine-worker.ts", import.meta.url), { type: "module" });

/** The one engine of the page. */
export const engine = new EngineClient(worker, apiBase());
