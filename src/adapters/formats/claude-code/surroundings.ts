import path from "node:path";
import { type JsonObject, textField } from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { NamedSession, StatedRetention, Surroundings } from "../../transcripts/folder/surroundings.js";
import { isThere, settingsIn } from "../../transcripts/recorder/tool-settings.js";

const PROJECTS = "projects";
const HISTORY = "history.jsonl";
const SETTINGS = "settings.json";

const DEFAULT_DAYS = 30;

/** Commands that Claude Code itself answers: a session of these alone has no file. */
const LOCAL_COMMAND =
  /^\s*\/(add-dir|agents|bug|clear|config|context|cost|doctor|exit|export|help|hooks|ide|login|logout|mcp|memory|model|permissions|plugin|privacy-settings|quit|release-notes|resume|rewind|status|statusline|terminal-setup|theme|upgrade|usage|vim)\b/;

/** Claude Code names a project's folder after its path, and cuts longer names. */
const LONGEST_NAME = 200;

/** Searches the parent of a folder `projects` only: the user chose the location of any other folder. */
export function surroundings(root: string): Surroundings {
  const home = path.dirname(root);
  const isHome =
    path.basename(root) === PROJECTS &&
    (path.basename(home) === ".claude" || isThere(home, SETTINGS) || isThere(home, HISTORY));
  if (!isHome) return { indexes: [] };
  const history = { folder: home, file: path.join(home, HISTORY), named: promptOf };
  return { indexes: [history], retention: retentionIn(home) };
}

/** Ignores settings of an organisation or a project. Below 1, newer versions refuse the number, and older ones deleted everything. */
function retentionIn(home: string): StatedRetention {
  const settings = settingsIn(home, SETTINGS);
  if (settings === undefined) return { days: undefined, statedIn: `${SETTINGS}, which cannot be read` };
  const { cleanupPeriodDays: days } = settings;
  if (days === undefined) return { days: DEFAULT_DAYS, statedIn: "the default of Claude Code" };
  if (typeof days !== "number" || !(days >= 1))
    return { days: undefined, statedIn: `cleanupPeriodDays in ${SETTINGS}, which is no number from 1 up` };
  return { days, statedIn: `cleanupPeriodDays in ${SETTINGS}` };
}

/** Old lines name no session. */
function promptOf(record: JsonObject): NamedSession | undefined {
  const sessionId = textField(record, "sessionId");
  if (sessionId === undefined) return undefined;
  const typed = textField(record, "display");
  const directory = textField(record, "project");
  const tenantId = directory?.replace(/[^a-zA-Z0-9]/g, "-");
  return {
    sessionId,
    tenantId: (tenantId?.length ?? 0) > LONGEST_NAME ? undefined : tenantId,
    title: typed === undefined || LOCAL_COMMAND.test(typed) ? undefined : typed,
    directory,
    at: instantOf(record.timestamp),
  };
}
