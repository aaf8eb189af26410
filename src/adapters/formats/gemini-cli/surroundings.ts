import path from "node:path";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type {
  NamedSession,
  SessionIndex,
  StatedRetention,
  Surroundings,
} from "../../transcripts/folder/surroundings.js";
import { isThere, settingsIn } from "../../transcripts/recorder/tool-settings.js";
import { projectsWithLogs } from "./layout.js";

const SETTINGS = "settings.json";
const HOME = ".gemini";

const DEFAULT_DAYS = 30;
const DAYS_OF: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 };

/** Commands that Gemini CLI itself answers: a session of these alone has no file. */
const LOCAL_COMMAND =
  /^\s*[/?](about|auth|bug|chat|clear|copy|directory|docs|editor|exit|extensions|help|hooks|ide|mcp|memory|model|privacy|quit|resume|settings|setup-github|stats|terminal-setup|theme|tools|vim)\b/;

export function surroundings(root: string): Surroundings {
  const home = homeOf(root);
  const indexes = projectsWithLogs(root).map(({ logs, tenantId, directory }): SessionIndex => {
    return { folder: root, file: logs, isArray: true, named: (one) => promptOf(one, tenantId, directory) };
  });
  return home === undefined ? { indexes } : { indexes, retention: retentionIn(home) };
}

/** `undefined` unless `root` is the folder of settings, its `tmp`, or a project in it: else it is a copy. */
function homeOf(root: string): string | undefined {
  const parent = path.dirname(root);
  const isTmp = (folder: string) => path.basename(folder) === "tmp";
  const homes = [root, ...(isTmp(root) ? [parent] : []), ...(isTmp(parent) ? [path.dirname(parent)] : [])];
  return homes.find((folder) => path.basename(folder) === HOME || isThere(folder, SETTINGS));
}

/** System or project settings may differ. Gemini CLI applies it when it starts in the project. */
function retentionIn(home: string): StatedRetention {
  const settings = settingsIn(home, SETTINGS);
  if (settings === undefined) return { days: undefined, statedIn: `${SETTINGS}, which cannot be read` };
  const retention = objectField(objectField(settings, "general"), "sessionRetention");
  const { enabled, maxAge, maxCount } = retention;
  const stated = `general.sessionRetention in ${SETTINGS}`;
  if (enabled === false) return { isOff: true, days: undefined, statedIn: stated };
  const most = typeof maxCount === "number" ? `, and all but the newest ${maxCount} of a project` : "";
  if (maxAge === undefined) return { days: DEFAULT_DAYS, statedIn: `the default of Gemini CLI${most}` };
  const [, count, unit = ""] = /^(\d+)([hdwm])$/.exec(String(maxAge)) ?? [];
  const days = Number(count) * (DAYS_OF[unit] ?? Number.NaN);
  // It refuses other values, and deletes nothing then.
  if (!(days > 0)) return { isOff: true, days: undefined, statedIn: `${stated}, which it refuses` };
  return { days, statedIn: stated + most };
}

function promptOf(
  record: JsonObject,
  tenantId: string,
  directory: string | undefined,
): NamedSession | undefined {
  const sessionId = textField(record, "sessionId");
  if (sessionId === undefined) return undefined;
  const typed = textField(record, "message");
  const title = typed === undefined || LOCAL_COMMAND.test(typed) ? undefined : typed;
  return { sessionId, tenantId, title, directory, at: instantOf(record.timestamp) };
}
