import { type JsonObject, objectField } from "../json/json.js";

/** How large the context was before a compaction and after it, as far as its event says. */
export function compactionTokens(event: JsonObject): {
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
} {
  return {
    tokensBefore: firstCount(event, ["tokensBefore", "preTokens", "beforeTokens"]),
    tokensAfter: firstCount(event, ["tokensAfter", "postTokens", "afterTokens"]),
  };
}

function firstCount(event: JsonObject, names: readonly string[]): number | undefined {
  for (const part of [event, objectField(event, "compactMetadata"), objectField(event, "compaction")]) {
    for (const name of names) {
      const value = part[name];
      if (typeof value === "number" && value >= 0) return value;
    }
  }
  return undefined;
}
