import {
  ACTIVITY_COLUMNS,
  CARRIED_COLUMNS,
  DURATION_COLUMNS,
  FAILURE_COLUMNS,
  QUARTER_MS,
  type SessionFacts,
  TOOL_USE_COLUMNS,
  USAGE_COLUMNS,
} from "../../domain/facts/session-facts.js";
import { isJsonObject, type JsonObject } from "../../domain/json/json.js";

const TABLES = {
  usage: USAGE_COLUMNS,
  toolUse: TOOL_USE_COLUMNS,
  durations: DURATION_COLUMNS,
  carried: CARRIED_COLUMNS,
  failures: FAILURE_COLUMNS,
  activity: ACTIVITY_COLUMNS,
} as const;

const CALL = [
  "at",
  "model",
  "role",
  "contextTokens",
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "cacheWrite1hTokens",
  "recordedUsd",
] as const;

/** What a session did, where a value that somebody else wrote says it: sums rely on each row to be whole. `undefined` for anything else. */
export function checkedFacts(value: unknown): SessionFacts | undefined {
  if (!isJsonObject(value)) return undefined;
  const { models, roles, tools, causes, edited, read, agents, compactions, largestCalls } = value;
  const hasNames = isListOf(models, isModel) && [roles, tools, causes, edited, read].every(isListOfTexts);
  if (!hasNames || ![agents, compactions].every(isCount)) return undefined;
  const hasTables = Object.entries(TABLES).every(([name, columns]) => isTable(value, name, columns));
  const hasCalls = isListOf(
    largestCalls,
    (call) => isJsonObject(call) && CALL.every((name) => isValue(value, name, call[name])),
  );
  return hasTables && hasCalls ? (value as object as SessionFacts) : undefined;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isListOfTexts = (value: unknown) => isListOf(value, (element) => typeof element === "string");

function isModel(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { model, provider = "" } = value;
  return typeof model === "string" && typeof provider === "string";
}

function isListOf(value: unknown, is: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

/** Whether all columns are there, of one length, each value one that its column can have. */
function isTable(facts: JsonObject, name: string, columns: readonly string[]): boolean {
  const table = facts[name];
  if (!isJsonObject(table)) return false;
  const first = table[columns[0]!];
  return columns.every((column) => {
    const values = table[column];
    if (!Array.isArray(first) || !Array.isArray(values) || values.length !== first.length) return false;
    const isNone = name === "failures" && column === "tool";
    return values.every((value) => isValue(facts, column, value) || (isNone && value === -1));
  });
}

/** The last instant of a date, in milliseconds. */
const LAST = 8.64e15;

/** The columns whose values are places in a list of names. */
const PLACES: { readonly [column: string]: string } = {
  model: "models",
  role: "roles",
  tool: "tools",
  cause: "causes",
};

function isValue(facts: JsonObject, column: string, value: unknown): boolean {
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  const list = PLACES[column];
  if (list !== undefined) return isCount(value) && value < (facts[list] as readonly unknown[]).length;
  if (column === "quarter") return Number.isSafeInteger(value) && Math.abs(value) <= LAST / QUARTER_MS;
  return Math.abs(value) <= LAST;
}
