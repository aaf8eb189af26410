import { findApi } from "../api/find-api.js";
import { EngineClient } from "../engine/engine-client.js";

/** From a tag that whoever serves the page may rewrite. */
const configured = document.querySelector<HTMLMetaElement>('meta[name="inspector-api"]')?.content;
const base = await findApi(configured || "./__inspector", location.href);

/** The address of the API, without a slash at its end. */
export function apiBase(): string {
  return base;
}

const worker = new Worker(new URL("../engine/engine-worker.ts", import.meta.url), { type: "module" });

/** The one engine of the page. */
export const engine = new EngineClient(worker, base);
