import {
  FACTS_CALL_MEMBERS,
  FACTS_TABLES,
  QUARTER_MS,
  type SessionFacts,
} from "../../domain/facts/session-facts.js";
import { isJsonObject, type JsonObject, objectField } from "../../domain/json/json.js";
import { instantOf } from "../../domain/trace/instant.js";
import { MOST_ITEM_VALUES } from "./archive-bounds.js";

export function rowsOfFacts(value: unknown): number {
  const facts = isJsonObject(value) ? value : {};
  const lengths = Object.entries(FACTS_TABLES).map(([name, columns]) => {
    const column = objectField(facts, name)[columns[0]];
    return Array.isArray(column) ? column.length : 0;
  });
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** The value is untrusted, and sums rely on complete rows. `undefined` if it is invalid. */
export function checkedFacts(value: unknown): SessionFacts | undefined {
  if (!isJsonObject(value)) return undefined;
  const { models, roles, tools, causes, edited, read, agents, compactions, largestCalls } = value;
  const hasNames = isListOf(models, isModel) && [roles, tools, causes, edited, read].every(isListOfTexts);
  if (!hasNames || ![agents, compactions].every(isCount)) return undefined;
  const hasTables = Object.entries(FACTS_TABLES).every(([name, columns]) => isTable(value, name, columns));
  const hasCalls = isListOf(
    largestCalls,
    (call) => isJsonObject(call) && FACTS_CALL_MEMBERS.every((name) => isValue(value, name, call[name])),
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
  return Array.isArray(value) && value.length <= MOST_ITEM_VALUES && value.every(is);
}

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

const PLACES: { readonly [column: string]: string } = {
  model: "models",
  role: "roles",
  tool: "tools",
  cause: "causes",
};

const INSTANTS = new Set(["at", "firstAt", "lastAt"]);

function isValue(facts: JsonObject, column: string, value: unknown): boolean {
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  const list = PLACES[column];
  if (list !== undefined) return isCount(value) && value < (facts[list] as readonly unknown[]).length;
  if (column === "quarter") return Number.isSafeInteger(value) && instantOf(value * QUARTER_MS) !== undefined;
  return INSTANTS.has(column) ? instantOf(value) !== undefined : Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}
