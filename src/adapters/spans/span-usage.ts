import { countOf, type JsonObject, present } from "../../domain/json/json.js";
import { type TokenUsage, usageOf } from "../../domain/usage/token-usage.js";
import { COSTS, USAGES, type UsageRow } from "./usage-spellings.js";

export interface SpanUsage extends TokenUsage {
  readonly reasoningTokens?: number;
  /** US dollars, if reported. */
  readonly cost?: number;
}

/** If two conventions differ, the one whose sum equals its own total is used. */
export function spanUsage(attributes: JsonObject): SpanUsage | undefined {
  const usages = USAGES.map((row) => readRow(row, attributes)).filter((counts) => counts !== undefined);
  const counts = usages.find(({ fitsTotal }) => fitsTotal) ?? usages[0];
  if (counts === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, reasoning, isCacheInside } = counts;
  const cost = COSTS.map(([name]) => attributes[name]).find((value) => typeof value === "number");
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

function readRow(row: UsageRow, attributes: JsonObject) {
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
