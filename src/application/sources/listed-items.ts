import { countOf, isJsonObject, type JsonObject, labelOf, present } from "../../domain/json/json.js";
import { LONGEST_ID } from "../../domain/session/ids.js";
import { type ListedSession, usageByModelIn, usageOfModels } from "../../domain/session/model-usage.js";
import { isLiveState, SESSION_STATUSES } from "../../domain/session/session.js";
import {
  formatInstant,
  instantOf,
  isOddInstant,
  newestInstant,
  ODD_INSTANT,
} from "../../domain/trace/instant.js";
import { NO_USAGE, totalTokens, usageOf } from "../../domain/usage/token-usage.js";
import type { RecordWarning } from "../ports/record-stream.js";

export interface ListedItems {
  readonly items: readonly ListedSession[];
  readonly warnings: readonly RecordWarning[];
}

/**
 * Adds missing members from the existing ones, otherwise neutral: tenant `default`, user `""`, status `idle`, no turns, no tokens, last
 * active in 1970. Removes members of the wrong kind, and elements that are not sessions.
 * @param name source of the list
 */
export function* listedItems(list: readonly ListedSession[], name: string): Generator<void, ListedItems> {
  let isEachComplete = true;
  const items: ListedSession[] = [];
  const none: number[] = [];
  const odd: number[] = [];
  for (const [i, element] of list.entries()) {
    yield;
    const item = completeItem(element);
    isEachComplete &&= item !== undefined && item === element;
    if (item === undefined) none.push(i + 1);
    else items.push(item);
    if (item !== undefined && item !== element && hasOddInstant(element)) odd.push(i + 1);
  }
  if (isEachComplete) return { items: list, warnings: [] };
  return { items, warnings: [...warningsOf(none, name, NO_SESSION, "so are"), ...oddInstants(odd, name)] };
}

function hasOddInstant({ createdAt, lastActive, usageByModel }: ListedSession): boolean {
  const groups: readonly unknown[] = Array.isArray(usageByModel) ? usageByModel : [];
  const instants = groups.map((one) => (isJsonObject(one) ? one.at : undefined));
  return [createdAt, lastActive, ...instants].some(isOddInstant);
}

/**
 * Warnings of elements with an invalid instant.
 * @param lines positions in the list, from 1
 * @param file the list's origin
 */
export function oddInstants(lines: readonly number[], file: string): RecordWarning[] {
  return warningsOf(lines, file, ODD_INSTANT, "the same for");
}

function warningsOf(
  lines: readonly number[],
  file: string,
  reason: string,
  likewise: string,
): RecordWarning[] {
  const warnings = lines.slice(0, MOST_NAMED).map((line) => ({ file, line, reason }));
  const more = lines.length - warnings.length;
  if (more > 0)
    warnings.push({ file, line: lines[MOST_NAMED]!, reason: `${reason}: ${likewise} ${more} in all` });
  return warnings;
}

const MOST_NAMED = 20;

const NO_SESSION = "is no session: it has no sessionId, or too long an id, and is skipped";

/** The form of `Date.prototype.toISOString`: sessions are sorted by it as a text. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isComplete(item: unknown): boolean {
  if (!isJsonObject(item)) return false;
  const { tenantId, sessionId, userId, lastActive, turns, tokens, status } = item;
  if (
    ![tenantId, sessionId].every(isId) ||
    typeof userId !== "string" ||
    !SESSION_STATUSES.some((one) => one === status)
  )
    return false;
  return isInstant(lastActive) && isCount(turns) && isCount(tokens) && OPTIONAL.every((is) => is(item));
}

const isId = (value: unknown) => typeof value === "string" && value !== "" && value.length <= LONGEST_ID;
const isInstant = (value: unknown) =>
  typeof value === "string" && INSTANT.test(value) && instantOf(value) !== undefined;
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

const TEXTS = [
  "title",
  "agentId",
  "directory",
  "model",
  "prompt",
  "lastAnswer",
  "waitingFor",
  "source",
] as const;
const COUNTS = ["errors", "warnings"] as const;

const LISTS_OF_TEXTS = ["labels", "models"] as const;

const isListOfTexts = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

const isUsage = (value: unknown) =>
  isJsonObject(value) &&
  Object.keys(NO_USAGE).every((name) => isCount(value[name])) &&
  (value.cacheWrite1hTokens === undefined || isCount(value.cacheWrite1hTokens));

function isUsageByModel(value: unknown): boolean {
  const isName = (name: unknown) => name === undefined || typeof name === "string";
  const isPart = (one: unknown) =>
    isJsonObject(one) &&
    isName(one.model) &&
    isName(one.provider) &&
    instantOf(one.at) !== undefined &&
    [one.contextTokens, one.calls, one.recordedUsd ?? 0, one.placeholderCalls ?? 0].every(Number.isFinite) &&
    isUsage(one.usage);
  return Array.isArray(value) && value.every(isPart);
}

const OPTIONAL: readonly ((item: JsonObject) => boolean)[] = [
  (item) => TEXTS.every((name) => item[name] === undefined || typeof item[name] === "string"),
  (item) => LISTS_OF_TEXTS.every((name) => item[name] === undefined || isListOfTexts(item[name])),
  (item) => COUNTS.every((name) => item[name] === undefined || isCount(item[name])),
  ({ createdAt }) => createdAt === undefined || isInstant(createdAt),
  ({ state }) => state === undefined || isLiveState(state),
  ({ usage }) => usage === undefined || isUsage(usage),
  ({ usageByModel }) => usageByModel === undefined || isUsageByModel(usageByModel),
  ({ cost }) => cost === undefined || (isJsonObject(cost) && Object.values(cost).every(Number.isFinite)),
];

function completeItem(item: ListedSession): ListedSession | undefined {
  if (isComplete(item)) return item;
  const input: JsonObject = isJsonObject(item) ? item : {};
  const [tenantId = "default", sessionId] = [labelOf(input.tenantId), labelOf(input.sessionId)];
  if (sessionId === undefined || !isId(sessionId) || !isId(tenantId)) return undefined;
  const { usage, usageByModel, createdAt, cost: _, ...others } = input;
  const isSound = (name: string) => OPTIONAL.every((is) => is({ [name]: input[name] }));
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => isSound(name)));
  const began = instantOf(createdAt);
  const lastActive = lastActiveIn(input);
  return {
    ...rest,
    ...present({ title: labelOf(input.title), agentId: labelOf(input.agentId) }),
    ...(began === undefined ? {} : { createdAt: formatInstant(began) }),
    ...(isJsonObject(usage) ? { usage: usageOf(usage) } : {}),
    ...(usageByModel === undefined ? {} : { usageByModel: usageByModelIn(input, lastActive) }),
    ...(isSound("cost") ? present({ cost: item.cost }) : {}),
    tenantId,
    sessionId,
    userId: labelOf(input.userId) ?? "",
    lastActive: formatInstant(lastActive),
    turns: countOf(input.turns),
    tokens: tokensIn(input),
    status: SESSION_STATUSES.find((status) => status === input.status) ?? "idle",
  };
}

function lastActiveIn(input: JsonObject): number {
  const [lastActive, createdAt] = [input.lastActive, input.createdAt].map(instantOf);
  return lastActive ?? newestInstant(createdAt, ...usageByModelIn(input).map(({ at }) => at)) ?? 0;
}

function tokensIn(input: JsonObject): number {
  if (typeof input.tokens === "number") return countOf(input.tokens);
  return totalTokens(isJsonObject(input.usage) ? usageOf(input.usage) : usageOfModels(usageByModelIn(input)));
}
