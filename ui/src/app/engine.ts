import { EngineClient } from "../engine/engine-client.js";
import { loadFile, startWorker } from "./page-files.js";
import { findBase, startEngine } from "./surroundings.js";

const base = await findBase();

/** Without a slash at its end. */
export function apiBase(): string {
  return base;
}

export const engine = new EngineClient(base, (use) => startWorker(startEngine, use), loadFile);
