import { execFileSync } from "node:child_process";
import path from "node:path";

export const PROJECT_ROOT = path.resolve(import.meta.dirname, "../..");

/** This process loads the module once for each project, so the mark is global. */
const BUILT = Symbol.for("agent-inspector.built");
const memory = globalThis as { [BUILT]?: true };

/** Builds the package once, and only if it is older than its sources. */
export default function build(): void {
  if (memory[BUILT]) return;
  memory[BUILT] = true;
  execFileSync(process.execPath, ["scripts/build.mjs", "--if-changed"], {
    cwd: PROJECT_ROOT,
    stdio: "inherit",
  });
}
