import { isJsonObject } from "../../../domain/json/json.js";

/** What a value from outside has to be; with `?` it may be absent. An array of a shape is a list of such values. */
export type Shape =
  | "text"
  | "text?"
  | "flag"
  | "number"
  | "number?"
  | "instant"
  | "instant?"
  /** An array of them: one string in the place of a shape for each. */
  | "numbers"
  | readonly [Shape]
  | { readonly [member: string]: Shape };

/** The furthest instant from 1970 that a date can have, in milliseconds. */
const LAST_INSTANT = 8.64e15;

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

export const ACTIVITY_SHAPE: Shape = { open: ["text"], failed: "flag", decidedAt: "instant?" };

export function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape !== "string") {
    if (!Array.isArray(shape)) {
      return isJsonObject(value) && Object.entries(shape).every(([name, one]) => fits(value[name], one));
    }
    const [ofEach] = shape as readonly [Shape];
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
      return typeof value === "number" && Math.abs(value) <= LAST_INSTANT;
    default:
      return typeof value === "number" && Number.isFinite(value);
  }
}
