import type { JsonObject } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import type { PlannedKind } from "./planned-spans.js";

/** Members that locate an event, or repeat the record from which it was made. */
const PLACES = ["record", "stored", "spanId", "parentSpanId", "agentId", "parentAgentId", "stepId"];

const INPUTS = ["input", "args", "arguments", "parameters"];
const ENDINGS = ["outcome", "error", "cancelReason", "attributes"];
const CALL = ["callId", "model", "modelId", "provider"];
const TOOL = ["toolCallId", "toolName", "name", "tool", "id", "toolUseId", ...INPUTS];

/** The members of events for which spans have attributes, by what begins and ends. */
const TOLD: Readonly<
  Record<PlannedKind, { readonly start: readonly string[]; readonly end: readonly string[] }>
> = {
  turn: {
    start: ["turnIndex", "turn", "input", "runId"],
    end: ["turnIndex", "turn", "input", "output", "runId", ...ENDINGS],
  },
  agent: {
    start: ["turnIndex", "turn", "input", "runId"],
    end: ["turnIndex", "turn", "input", "output", "runId", ...ENDINGS],
  },
  model: {
    start: [...CALL, "messages", "system"],
    end: [...CALL, "usage", "tokens", "cost", "costUSD", "stopReason", "output", ...ENDINGS],
  },
  tool: { start: TOOL, end: [...TOOL, "output", "result", "isError", ...ENDINGS] },
  compaction: {
    start: ["compactionId", "trigger"],
    end: ["compactionId", "tokensBefore", "tokensAfter", ...ENDINGS],
  },
  step: { start: [], end: [] },
};

const LEFT_OUT = new Map(
  Object.entries(TOLD).map(([kind, { start, end }]) => [
    kind,
    { start: new Set(["type", ...PLACES, ...start]), end: new Set(["type", ...PLACES, ...end]) },
  ]),
);

/** Returns the members of an event that no attribute represents, as JSON; `undefined` without such members. */
export function otherMembers(
  kind: PlannedKind,
  side: "start" | "end",
  event: JsonObject,
): string | undefined {
  const left = LEFT_OUT.get(kind)![side];
  const kept = Object.entries(event).filter(([name]) => !left.has(name) || isOfRefusal(event, name));
  return kept.length === 0 ? undefined : jsonTextOf(Object.fromEntries(kept));
}

/** A refused call did not fail, whatever the event states. */
function isOfRefusal({ refused }: JsonObject, name: string): boolean {
  return refused === true && name === "isError";
}

const NOT_TOLD = new Set(PLACES);
const NOT_TOLD_OF_UNKNOWN = new Set(PLACES.filter((name) => name !== "record"));

/** An event as it happened. @param isKnown whether its type is: of others there is nothing but the record */
export function wholeEvent(event: JsonObject, isKnown: boolean): JsonObject {
  const left = isKnown ? NOT_TOLD : NOT_TOLD_OF_UNKNOWN;
  return Object.fromEntries(Object.entries(event).filter(([name]) => !left.has(name)));
}
