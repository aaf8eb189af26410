import { existsSync } from "node:fs";
import { ownModule } from "../../../application/ports/reading-pool.js";

/**
 * The address of the module that threads run, which lies beside this one; `undefined` where a bundler took it away. What lies beside
 * a bundle is somebody else's, whatever its name, and the bundle is the application: neither is ever run in a thread.
 */
export const THREAD_MODULE = ownModule(import.meta.url, "thread-module") && findThreadModule();

function findThreadModule(): string | undefined {
  // Spelt out, so that tools that trace which files a deployment needs find it.
  const built = new URL("./thread.js", import.meta.url);
  const { href } = import.meta.url.endsWith(".ts") ? new URL("thread.ts", built) : built;
  return /^file:.*\/files\/threads\/thread\.[jt]s$/.test(href) && existsSync(new URL(href))
    ? href
    : undefined;
}

let hasWarned = false;

/** Warns the host, once per process, that no threads are available. */
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
