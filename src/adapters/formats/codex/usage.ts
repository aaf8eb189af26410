import { countField, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { NO_USAGE, type TokenUsage, totalTokens, usageOf } from "../../../domain/usage/token-usage.js";
import type { Part } from "../../transcripts/recorder/parts.js";

export interface UsagePart extends Part {
  readonly is: "usage";
  readonly isReported: boolean;
  readonly total: TokenUsage;
  readonly last: TokenUsage;
  readonly contextTokens: number;
}

export function usagePart(info: JsonObject): UsagePart {
  const last = objectField(info, "last_token_usage");
  const total = objectField(info, "total_token_usage");
  return {
    is: "usage",
    isReported: total.total_tokens !== undefined,
    total: usageIn(total),
    last: usageIn(last),
    contextTokens: countField(last, "total_tokens"),
  };
}

export interface CallUsagePart extends Part {
  readonly is: "call usage";
  /** Contains the turn's id: some services restart their answer ids. */
  readonly responseId: string;
  readonly usage: TokenUsage;
}

export function callUsagePart(payload: JsonObject): CallUsagePart {
  const responseId = `${textField(payload, "turn_id")} ${textField(payload, "response_id")}`;
  return { is: "call usage", responseId, usage: usageIn(objectField(payload, "usage")) };
}

/** The input contains cached tokens, the output contains reasoning. */
export function usageIn(total: JsonObject): TokenUsage {
  const cacheReadTokens = countField(total, "cached_input_tokens");
  const cacheWriteTokens = countField(total, "cache_write_input_tokens");
  return {
    inputTokens: Math.max(0, countField(total, "input_tokens") - cacheReadTokens - cacheWriteTokens),
    outputTokens: countField(total, "output_tokens"),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

/** Totals are repeated, and may continue those of another file. */
export class CumulativeUsage {
  #total: TokenUsage | undefined;

  goOnFrom(total: TokenUsage): void {
    this.#total = total;
  }

  get isBegun(): boolean {
    return this.#total !== undefined;
  }

  /** `undefined` for repeated totals. Lower totals are a new beginning. */
  since(total: TokenUsage): TokenUsage | undefined {
    const before = this.#total ?? NO_USAGE;
    this.#total = total;
    const isLess = totalTokens(total) < totalTokens(before);
    const used = isLess ? total : difference(total, before);
    return totalTokens(used) === 0 ? undefined : used;
  }
}

export function difference(a: TokenUsage, b: TokenUsage): TokenUsage {
  return usageOf({
    inputTokens: a.inputTokens - b.inputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    cacheReadTokens: a.cacheReadTokens - b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens - b.cacheWriteTokens,
  });
}
