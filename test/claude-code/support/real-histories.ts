import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/**
 * Real histories lie beside the repository, not in it: a clone alone has none. `AGENT_INSPECTOR_SHARED` names another place.
 */
export const SHARED =
  process.env.AGENT_INSPECTOR_SHARED ?? path.resolve(import.meta.dirname, "../../../../shared");

const HISTORIES = path.join(SHARED, "data/claude-code");

export const HAS_HISTORIES = existsSync(HISTORIES);

/** The end of a skipped test's title. */
export const WITHOUT_HISTORIES = HAS_HISTORIES
  ? ""
  : " (skipped: the real histories in ../shared/data are not here)";

/** The projects folders, by the name of where they are from. */
export function projectsFolders(): [name: string, folder: string][] {
  if (!HAS_HISTORIES) return [];
  return readdirSync(HISTORIES).map((name) => [name, path.join(HISTORIES, name, "projects")]);
}
