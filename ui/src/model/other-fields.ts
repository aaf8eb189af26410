import { isJsonObject, type JsonObject } from "../../../src/domain/json/json.js";

/** Fields of an event that the details display in separate blocks, whatever they hold. */
const BLOCKS = new Set(["input", "output", "result", "prompt"]);
/** Those that its title and its facts show, and those that facts follow from, where they are texts or numbers. */
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
 * Returns the fields of an event that its details do not display elsewhere: unrecognized fields, and recognized fields with an unusual
 * value.
 *
 * @param isCounted true if its usage was read
 */
export function otherFields(event: JsonObject, isCounted: boolean): readonly (readonly [string, unknown])[] {
  return Object.entries(event).filter(([name, value]) => {
    if (BLOCKS.has(name)) return false;
    if (FLAGS.has(name)) return typeof value !== "boolean";
    // An outcome is visible elsewhere, except for a cancellation: that is neither an error nor an answer.
    if (name === "outcome" && value === "cancelled") return true;
    if (FACTS.has(name)) return typeof value !== "string" && typeof value !== "number";
    if (name === "error") return typeof value !== "string" && !isMessage(value);
    return name !== "usage" || !isCounted;
  });
}

/** An error that says nothing but a message. */
function isMessage(error: unknown): boolean {
  return isJsonObject(error) && typeof error.message === "string" && Object.keys(error).length === 1;
}
