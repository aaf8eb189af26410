import { countOf, isJsonObject, type JsonObject, labelOf } from "../../domain/json/json.js";
import { totalTokens, usageOf } from "../../domain/session/session.js";
import { formatInstant, instantOf, newestInstant } from "../../domain/trace/instant.js";
import { type ListedSession, usageByModelIn, usageOfModels } from "../../domain/usage/model-usage.js";
import { SourceContractError } from "../errors.js";

/**
 * The sessions of a list, each with the seven members that every session has. What a source leaves out is told by what it does give, else
 * by the value that says nothing: tenant `default`, user `""`, status `idle`, no turns, no tokens, last active in 1970.
 *
 * @param name what gives the list
 * @throws SourceContractError for an element that is no object, or has no `sessionId`
 */
export function listedItems(list: readonly ListedSession[], name: string): readonly ListedSession[] {
  return list.every(isWhole) ? list : list.map((item) => wholeItem(item, name));
}

/** As `Date.prototype.toISOString` writes it: sessions are sorted by it as a text. */
const INSTANT = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isWhole(item: unknown): boolean {
  if (!isJsonObject(item)) return false;
  const { tenantId, sessionId, userId, lastActive, turns, tokens, status } = item;
  const areNames = [tenantId, sessionId, status].every((one) => typeof one === "string" && one !== "");
  if (!areNames || typeof userId !== "string" || typeof lastActive !== "string") return false;
  return INSTANT.test(lastActive) && isCount(turns) && isCount(tokens);
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

function wholeItem(item: ListedSession, name: string): ListedSession {
  if (isWhole(item)) return item;
  const given: JsonObject = isJsonObject(item) ? item : {};
  const sessionId = labelOf(given.sessionId);
  if (sessionId === undefined)
    throw new SourceContractError(
      `The data source breaks its contract: ${name} gives a session without a sessionId.`,
    );
  return {
    ...item,
    tenantId: labelOf(given.tenantId) ?? "default",
    sessionId,
    userId: labelOf(given.userId) ?? "",
    lastActive: formatInstant(lastActiveIn(given)),
    turns: countOf(given.turns),
    tokens: tokensIn(given),
    status: (labelOf(given.status) ?? "idle") as ListedSession["status"],
  };
}

/** The instant that it says, in any spelling; else that of its beginning, or of its newest model call. */
function lastActiveIn(given: JsonObject): number {
  const [lastActive, createdAt] = [given.lastActive, given.createdAt].map((at) =>
    instantOf(at instanceof Date ? at.getTime() : at),
  );
  return lastActive ?? newestInstant(createdAt, ...usageByModelIn(given).map(({ at }) => at)) ?? 0;
}

/** Those that it says, else the sum of what was used. */
function tokensIn(given: JsonObject): number {
  if (typeof given.tokens === "number") return countOf(given.tokens);
  return totalTokens(isJsonObject(given.usage) ? usageOf(given.usage) : usageOfModels(usageByModelIn(given)));
}
