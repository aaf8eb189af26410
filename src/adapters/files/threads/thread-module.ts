import { existsSync } from "node:fs";
import { ownModule } from "../../../application/ports/reading-pool.js";

/**
 * Address of the threads' module; `undefined` in a bundle. A file beside a bundle may be foreign, and the bundle is the application:
 * neither must run in a thread.
 */
export const THREAD_MODULE = ownModule(import.meta.url, "thread-module") && findThreadModule();

function findThreadModule(): string | undefined {
  // A literal, so that tools that trace a deployment's files detect it.
  const built = new URL("./thread.js", import.meta.url);
  const { href } = import.meta.url.endsWith(".ts") ? new URL("thread.ts", built) : built;
  return /^file:.*\/files\/threads\/thread\.[jt]s$/.test(href) && existsSync(new URL(href))
    ? href
    : undefined;
}

let hasWarned = false;

/** Once per process. */
export function warnOfNoThreads(): void {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(
    "The module that reads in worker threads was not found: this code was bundled, or that file was left out. Histories are read on the " +
      "event loop instead, a few milliseconds at a time. Leave the package out of the bundle to have threads, or say `threads: false` to " +
      "have none: node_modules/agent-inspector/docs/bundling.md.",
    { type: "AgentInspectorWarning", code: "AGENT_INSPECTOR_NO_THREADS" },
  );
}
