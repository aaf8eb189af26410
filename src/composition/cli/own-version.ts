import { createRequire } from "node:module";

/** The version of this package. */
export function ownVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)("agent-inspector/package.json");
  return version;
}
