import {
  countOf,
  isJsonObject,
  type JsonObject,
  objectField,
  parsedText,
  present,
} from "../../domain/json/json.js";
import { type TokenUsage, usageOf } from "../../domain/usage/token-usage.js";
import { COSTS, PROVIDER_METADATA, USAGES, type UsageRow } from "./usage-spellings.js";

export interface SpanUsage extends TokenUsage {
  readonly reasoningTokens?: number;
  /** US dollars, if reported. */
  readonly cost?: number;
}

/** If two conventions differ, the one whose sum equals its own total is used. */
export function spanUsage(attributes: JsonObject): SpanUsage | undefined {
  const usages = USAGES.map((row) => readRow(row, attributes)).filter((counts) => counts !== undefined);
  const counts = withProvidersCounts(usages.find(({ fitsTotal }) => fitsTotal) ?? usages[0], attributes);
  if (counts === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, reasoning, isCacheInside } = counts;
  const cost = COSTS.map(([name, , member]) => {
    return member === undefined ? attributes[name] : objectIn(attributes, name)[member];
  }).find((value) => typeof value === "number");
  return {
    ...usageOf({
      inputTokens: isCacheInside ? input - cacheRead - cacheWrite : input,
      outputTokens: output,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
      cacheWrite1hTokens: cacheWrite1h,
    }),
    ...present({ reasoningTokens: reasoning }),
    ...(typeof cost === "number" && cost >= 0 ? { cost } : {}),
  };
}

function objectIn(attributes: JsonObject, name: string): JsonObject {
  const value = parsedText(attributes[name]);
  return isJsonObject(value) ? value : {};
}

type Counts = Omit<NonNullable<ReturnType<typeof readRow>>, "fitsTotal">;

/** Adds counts of the provider itself, which the attributes of version 5 of the AI SDK cannot contain. */
function withProvidersCounts(counts: Counts | undefined, attributes: JsonObject): Counts | undefined {
  if (countIn(attributes, ["ai.usage.inputTokenDetails.cacheWriteTokens"]) !== undefined) return counts;
  for (const own of Object.values(objectIn(attributes, PROVIDER_METADATA[0]))) {
    if (!isJsonObject(own)) continue;
    const usage = { ...own, ...objectField(own, "usage") };
    const input = countIn(usage, ["input_tokens"]) ?? counts?.input;
    const cacheRead = countIn(usage, CACHE_READ) ?? counts?.cacheRead ?? 0;
    const cacheWrite = countIn(usage, CACHE_WRITE) ?? counts?.cacheWrite ?? 0;
    if (input === undefined || cacheRead + cacheWrite === 0) continue;
    return {
      ...{ input, cacheRead, cacheWrite, isCacheInside: false },
      output: countIn(usage, ["output_tokens"]) ?? counts?.output ?? 0,
      cacheWrite1h: countIn(objectField(usage, "cache_creation"), ["ephemeral_1h_input_tokens"]) ?? 0,
      reasoning: counts?.reasoning,
    };
  }
  return counts;
}

const CACHE_READ = ["cache_read_input_tokens", "cacheReadInputTokens"];
const CACHE_WRITE = ["cache_creation_input_tokens", "cacheCreationInputTokens", "cacheWriteInputTokens"];

function readRow(row: UsageRow, span: JsonObject) {
  const attributes = row.within === undefined ? span : objectIn(span, row.within);
  const input = countIn(attributes, [row.input]);
  const output = countIn(attributes, [row.output]);
  if (input === undefined && output === undefined) return undefined;
  const counts = {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: countIn(attributes, row.cacheRead) ?? 0,
    cacheWrite: countIn(attributes, row.cacheWrite) ?? 0,
    cacheWrite1h: countIn(attributes, row.cacheWrite1h) ?? 0,
    reasoning: countIn(attributes, row.reasoning),
  };
  const total = countIn(attributes, row.total === undefined ? [] : [row.total]);
  const cached = counts.cacheRead + counts.cacheWrite;
  const sum = counts.input + counts.output;
  const isInside = total === sum || (row.isCacheInside && total !== sum + cached);
  return {
    ...counts,
    // A count above the input cannot be part of it.
    isCacheInside: isInside && cached <= counts.input,
    fitsTotal: total !== undefined && (total === sum || total === sum + cached),
  };
}

/** Some writers use strings of digits. */
function countIn(attributes: JsonObject, names: readonly string[] = []): number | undefined {
  for (const name of names) {
    const value = attributes[name];
    const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    if (typeof number === "number") return countOf(number);
  }
  return undefined;
}
