import { isJsonObject } from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";

/** Shape of an untrusted value; `?` makes it optional. An array with a shape is a list; one that ends in `?` is an optional list. */
export type Shape =
  | "text"
  | "text?"
  | "flag"
  | "number"
  | "number?"
  | "instant"
  | "instant?"
  /** One string instead of a shape for each number. */
  | "numbers"
  | readonly [Shape]
  | readonly [Shape, "?"]
  | { readonly [member: string]: Shape };

export const USAGE_SHAPE: Shape = {
  inputTokens: "number",
  outputTokens: "number",
  cacheReadTokens: "number",
  cacheWriteTokens: "number",
  cacheWrite1hTokens: "number?",
};

export const USAGE_BY_MODEL_SHAPE: Shape = [
  {
    model: "text?",
    provider: "text?",
    at: "instant",
    contextTokens: "number",
    calls: "number",
    placeholderCalls: "number?",
    usage: USAGE_SHAPE,
    recordedUsd: "number?",
  },
];

const CALL_KEY = { traceId: "text", agentId: "text", callId: "text" } as const;
const CALL = { ...CALL_KEY, toolName: "text", at: "instant", until: "instant?", input: "number?" } as const;

export const ACTIVITY_SHAPE: Shape = {
  open: ["text"],
  failed: "flag",
  decidedAt: "instant?",
  questions: [{ ...CALL_KEY, question: "text?", at: "instant?" }, "?"],
  end: "text?",
  calls: [CALL, "?"],
  longest: [{ toolName: "text", ms: "number" }, "?"],
  series: [{ ...CALL, result: "number", times: "number", since: "instant" }, "?"],
};

export function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape !== "string") {
    if (!Array.isArray(shape)) {
      const members = Object.entries(shape as { readonly [member: string]: Shape });
      return isJsonObject(value) && members.every(([name, one]) => fits(value[name], one));
    }
    const [ofEach, mayBeAbsent] = shape as readonly [Shape, "?" | undefined];
    if (value === undefined) return mayBeAbsent !== undefined;
    return Array.isArray(value) && value.every((one) => fits(one, ofEach));
  }
  if (value === undefined) return shape.endsWith("?");
  switch (shape.replace("?", "")) {
    case "text":
      return typeof value === "string";
    case "numbers":
      return Array.isArray(value) && value.every(Number.isFinite);
    case "flag":
      return typeof value === "boolean";
    case "instant":
      return typeof value === "number" && instantOf(value) !== undefined;
    default:
      return typeof value === "number" && Number.isFinite(value);
  }
}
