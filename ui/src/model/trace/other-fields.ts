import { isJsonObject, type JsonObject } from "../../../../src/domain/json/json.js";

const BLOCKS = new Set(["input", "output", "result", "prompt"]);
/** Displayed in the title or the facts if they are texts or numbers. */
const FACTS = new Set([
  "type",
  "toolName",
  "toolCallId",
  "callId",
  "model",
  "turnIndex",
  "stopReason",
  "agentId",
  "outcome",
  "tokensBefore",
  "tokensAfter",
  "trigger",
]);
const FLAGS = new Set(["isError", "derived"]);

/**
 * Unrecognized fields, and recognized fields with an unusual value.
 * @param isCounted true if its usage was read
 */
export function otherFields(event: JsonObject, isCounted: boolean): readonly (readonly [string, unknown])[] {
  return Object.entries(event).filter(([name, value]) => {
    if (BLOCKS.has(name)) return false;
    if (FLAGS.has(name)) return typeof value !== "boolean";
    // A cancellation is neither an error nor an answer, so only this displays it.
    if (name === "outcome" && value === "cancelled") return true;
    if (FACTS.has(name)) return typeof value !== "string" && typeof value !== "number";
    if (name === "error") return typeof value !== "string" && !isMessage(value);
    return name !== "usage" || !isCounted;
  });
}

function isMessage(error: unknown): boolean {
  return isJsonObject(error) && typeof error.message === "string" && Object.keys(error).length === 1;
}
