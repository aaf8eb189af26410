import {
  countField,
  isJsonObject,
  type JsonObject,
  objectField,
  parseJson,
} from "../../../../src/domain/json/json.js";
import {
  type InspectorSessionItem,
  isLiveState,
  SESSION_STATUSES,
} from "../../../../src/domain/session/session.js";
import { valueText } from "../../../../src/domain/text/value-text.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import { usageOf } from "../../../../src/domain/usage/token-usage.js";
import { ApiError } from "../../api/api-problem.js";
import { instantText } from "../records/instant-text.js";

const TEXTS = ["title", "directory", "source", "model", "prompt", "lastAnswer", "waitingFor"] as const;

/**
 * Non-text values of text fields become text; invalid numbers count as absent.
 * @throws {ApiError} if it is not a session
 */
export function readSession(text: string): InspectorSessionItem {
  const value = parseJson(text);
  const sessionId = isJsonObject(value) ? valueText(value.sessionId) : "";
  if (!isJsonObject(value) || sessionId === "") {
    throw new ApiError({ kind: "broken", status: 200, detail: "the list of sessions holds something else" });
  }
  const texts = TEXTS.map((name) => [name, valueText(value[name])]);
  return {
    ...Object.fromEntries(texts.filter(([, text]) => text !== "")),
    tenantId: valueText(value.tenantId),
    sessionId,
    userId: valueText(value.userId),
    status: SESSION_STATUSES.find((status) => status === value.status) ?? "idle",
    ...(isLiveState(value.state) ? { state: value.state } : {}),
    lastActive: instantText(value.lastActive),
    ...("createdAt" in value ? { createdAt: instantText(value.createdAt) } : {}),
    tokens: countField(value, "tokens"),
    turns: countField(value, "turns"),
    ...("errors" in value ? { errors: countField(value, "errors") } : {}),
    ...(countField(value, "warnings") > 0 ? { warnings: countField(value, "warnings") } : {}),
    ...("usage" in value ? { usage: usageOf(objectField(value, "usage")) } : {}),
    ...costIn(objectField(value, "cost")),
  };
}

function costIn({ usd, recordedUsd, ...cost }: JsonObject): { readonly cost?: Cost } {
  if (typeof usd !== "number") return {};
  const placeholderCalls = countField(cost, "placeholderCalls");
  return {
    cost: {
      usd,
      recordedUsd: typeof recordedUsd === "number" ? recordedUsd : 0,
      unpricedCalls: countField(cost, "unpricedCalls"),
      unpricedTokens: countField(cost, "unpricedTokens"),
      ...(placeholderCalls === 0 ? {} : { placeholderCalls }),
    },
  };
}
