import { existsSync } from "node:fs";
import path from "node:path";

/** Real histories lie beside the repository, not in it: a clone alone has none. `AGENT_INSPECTOR_SHARED` names another place. */
const SHARED = process.env.AGENT_INSPECTOR_SHARED ?? path.resolve(import.meta.dirname, "../../../../shared");

export const DATA = path.join(SHARED, "data");

export const HAS_SESSIONS = existsSync(path.join(DATA, "pi"));

/** The end of a skipped test's title. */
export const WITHOUT_SESSIONS = HAS_SESSIONS
  ? ""
  : " (skipped: the histories in ../shared/data are not here)";

/** Folders of sessions, with the name of the format that reads each. */
export const FOLDERS: readonly (readonly [name: string, format: string])[] = [
  ["pi/run-0.87.1/sessions", "pi"],
  ["pi/getspecstory/sessions", "pi"],
  ["pi/agent-sessions", "pi"],
  ["openclaw/agent-sessions", "openclaw"],
];
