import { describe, it } from "vitest";
import { HAS_SHARED_DATA, WITHOUT_SHARED_DATA } from "./shared-data.js";

/** Without the shared data, the suite is one skipped test with the reason in its title. */
export function describeShared(title: string, define: () => void): void {
  if (HAS_SHARED_DATA) describe(title, define);
  else it.skip(`${title}${WITHOUT_SHARED_DATA}`, () => undefined);
}
