import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Real histories lie beside the repository, not in it. `AGENT_INSPECTOR_SHARED` names another place. */
const SHARED = process.env.AGENT_INSPECTOR_SHARED ?? path.resolve(import.meta.dirname, "../../../../shared");

export const DATA = path.join(SHARED, "data");

export const HAS_HOMES = existsSync(path.join(DATA, "codex"));

/** The end of a skipped test's title. */
export const WITHOUT_HOMES = HAS_HOMES ? "" : " (skipped: the real histories in ../shared/data are not here)";

/** The homes of Codex, by the name of where they are from. */
export function realHomes(): { readonly name: string; readonly folder: string }[] {
  if (!HAS_HOMES) return [];
  return readdirSync(path.join(DATA, "codex")).map((name) => ({
    name,
    folder: path.join(DATA, "codex", name),
  }));
}
