import type { JsonObject } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import type { PlannedKind } from "./planned-spans.js";

/** Members that locate an event, or repeat its record. */
const PLACES = ["record", "stored", "spanId", "parentSpanId", "agentId", "parentAgentId", "stepId"];

const INPUTS = ["input", "args", "arguments", "parameters"];
const ENDINGS = ["outcome", "error", "cancelReason", "attributes"];
const CALL = ["callId", "model", "modelId", "provider"];
const TOOL = ["toolCallId", "toolName", "name", "tool", "id", "toolUseId", ...INPUTS];

/** Members that attributes already represent, by start and end. */
const DESCRIBED: Readonly<
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
  Object.entries(DESCRIBED).map(([kind, { start, end }]) => [
    kind,
    { start: new Set(["type", ...PLACES, ...start]), end: new Set(["type", ...PLACES, ...end]) },
  ]),
);

/** JSON of the members that no attribute represents; `undefined` without any. */
export function otherMembers(
  kind: PlannedKind,
  side: "start" | "end",
  event: JsonObject,
): string | undefined {
  const left = LEFT_OUT.get(kind)![side];
  const remaining = Object.entries(event).filter(([name]) => !left.has(name) || isOfRefusal(event, name));
  return remaining.length === 0 ? undefined : jsonTextOf(Object.fromEntries(remaining));
}

/** A refused call did not fail, in spite of other members of the event. */
function isOfRefusal({ refused }: JsonObject, name: string): boolean {
  return refused === true && name === "isError";
}

const SKIPPED = new Set(PLACES);
const SKIPPED_OF_UNKNOWN = new Set(PLACES.filter((name) => name !== "record"));

/** @param hasKind false for an unregistered type: only the record remains */
export function completeEvent(event: JsonObject, hasKind: boolean): JsonObject {
  const left = hasKind ? SKIPPED : SKIPPED_OF_UNKNOWN;
  return Object.fromEntries(Object.entries(event).filter(([name]) => !left.has(name)));
}
