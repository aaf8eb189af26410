import { isJsonObject } from "../../../src/domain/json.js";
import type { InspectorSessionItem } from "../../../src/domain/session.js";
import { ApiError } from "../api/api-problem.js";

/** Texts that a session may lack. */
const TEXTS = ["title", "directory", "createdAt", "source", "model", "prompt", "lastAnswer"] as const;

/**
 * An entry of the session list as the page can rely on it: what is no text where one belongs is left out.
 *
 * @throws {ApiError} where it is no session at all
 */
export function readSession(text: string): InspectorSessionItem {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || typeof value.sessionId !== "string") {
    throw new ApiError({ kind: "broken", status: 200, detail: "the list of sessions holds something else" });
  }
  const textOf = (name: string) => (typeof value[name] === "string" ? value[name] : "");
  const texts = TEXTS.filter((name) => name in value && typeof value[name] !== "string");
  return {
    ...(value as unknown as InspectorSessionItem),
    ...Object.fromEntries(texts.map((name) => [name, undefined])),
    tenantId: textOf("tenantId"),
    userId: textOf("userId"),
    lastActive: textOf("lastActive"),
    tokens: Number(value.tokens) || 0,
    turns: Number(value.turns) || 0,
    ...("errors" in value ? { errors: Number(value.errors) || 0 } : {}),
  };
}
