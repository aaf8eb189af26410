import { describe, it } from "vitest";
import { HAS_SHARED_DATA, WITHOUT_SHARED_DATA } from "./shared-data.js";

/** Defines a suite over the shared data. Without that data, the suite is one skipped test whose title gives the reason. */
export function describeShared(title: string, define: () => void): void {
  if (HAS_SHARED_DATA) describe(title, define);
  else it.skip(`${title}${WITHOUT_SHARED_DATA}`, () => undefined);
}
