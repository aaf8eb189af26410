import {
  countField,
  isJsonObject,
  type JsonObject,
  objectField,
  textField,
} from "../../../domain/json/json.js";
import { NO_USAGE, subtractUsage, type TokenUsage, totalTokens } from "../../../domain/usage/token-usage.js";
import type { Part } from "../../transcripts/recorder/parts.js";

export interface UsagePart extends Part {
  readonly is: "usage";
  readonly isReported: boolean;
  readonly total: TokenUsage;
  /** `undefined` if unstated; without tokens, the totals are inherited. */
  readonly last: TokenUsage | undefined;
  readonly contextTokens: number;
}

export function usagePart(info: JsonObject): UsagePart {
  const last = objectField(info, "last_token_usage");
  const total = objectField(info, "total_token_usage");
  return {
    is: "usage",
    isReported: total.total_tokens !== undefined,
    total: usageIn(total),
    last: isJsonObject(info.last_token_usage) ? usageIn(last) : undefined,
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

  /** `undefined` for repeated totals. Lower totals, and those of the last call alone, are a new beginning. */
  since(total: TokenUsage, last: TokenUsage | undefined): TokenUsage | undefined {
    const before = this.#total ?? NO_USAGE;
    this.#total = total;
    if (isEqual(total, before)) return undefined;
    const isNew = totalTokens(total) < totalTokens(before) || (last !== undefined && isEqual(total, last));
    const used = isNew ? total : subtractUsage(total, before);
    return totalTokens(used) === 0 ? undefined : used;
  }
}

function isEqual(a: TokenUsage, b: TokenUsage): boolean {
  return totalTokens(subtractUsage(a, b)) === 0 && totalTokens(subtractUsage(b, a)) === 0;
}
