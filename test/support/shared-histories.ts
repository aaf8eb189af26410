import { existsSync } from "node:fs";
import path from "node:path";

/** Real histories lie beside the repository, not in it: a clone alone has none. `AGENT_INSPECTOR_SHARED` names another place. */
export const SHARED_DATA = path.join(
  process.env.AGENT_INSPECTOR_SHARED ?? path.resolve(import.meta.dirname, "../../../shared"),
  "data",
);

export const HAS_SHARED_DATA = existsSync(SHARED_DATA);

/** The end of a skipped test's title. */
export const WITHOUT_SHARED_DATA = HAS_SHARED_DATA
  ? ""
  : " (skipped: the real histories in ../shared/data are not here)";
