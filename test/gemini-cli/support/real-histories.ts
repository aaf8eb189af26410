import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Real histories lie beside the repository, not in it: a clone alone has none. `AGENT_INSPECTOR_SHARED` names another place. */
const SHARED = process.env.AGENT_INSPECTOR_SHARED ?? path.resolve(import.meta.dirname, "../../../../shared");

export const DATA = path.join(SHARED, "data");
const HISTORIES = path.join(DATA, "gemini-cli");

export const HAS_HISTORIES = existsSync(HISTORIES);

/** The end of a skipped test's title. */
export const WITHOUT_HISTORIES = HAS_HISTORIES
  ? ""
  : " (skipped: the real histories in ../shared/data are not here)";

/** Folders as `~/.gemini`, by the name of where they are from. One of them holds no chats. */
export function geminiFolders(): [name: string, folder: string][] {
  if (!HAS_HISTORIES) return [];
  return readdirSync(HISTORIES).map((name) => [name, path.join(HISTORIES, name)]);
}

export const WITHOUT_CHATS = "codemie";
