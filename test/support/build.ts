import { execFileSync } from "node:child_process";
import path from "node:path";

export const PROJECT_ROOT = path.resolve(import.meta.dirname, "../..");

/** Builds the package once before all tests: some start it as its users do. */
export default function build(): void {
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: PROJECT_ROOT, stdio: "inherit" });
}
