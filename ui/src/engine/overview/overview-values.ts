import { countField, isJsonObject, labelField, objectField } from "../../../../src/domain/json/json.js";
import { ApiError } from "../../api/api-problem.js";
import { request } from "../../api/request.js";
import type { FilterValue } from "../../model/filter/filter-values.js";

export interface OverviewValues {
  readonly tool: readonly FilterValue[];
  readonly failed: readonly FilterValue[];
  readonly error: readonly FilterValue[];
  readonly role: readonly FilterValue[];
}

const NOTHING: OverviewValues = { tool: [], failed: [], error: [], role: [] };

/** Cache times; the second is for an answer without all sessions. */
const CACHED_MS = 60_000;
const PARTIAL_MS = 3_000;

export class OverviewNames {
  readonly #base: string;
  #values: Promise<OverviewValues> = Promise.resolve(NOTHING);
  #until = 0;

  constructor(base: string) {
    this.#base = base;
  }

  values(): Promise<OverviewValues> {
    if (Date.now() >= this.#until) {
      this.#until = Number.POSITIVE_INFINITY;
      this.#values = readOverviewValues(this.#base).then(({ isPartial, ...values }) => {
        this.#until = Date.now() + (isPartial ? PARTIAL_MS : CACHED_MS);
        return values;
      });
    }
    return this.#values;
  }
}

/** @returns nothing on failure: names can be typed without it */
async function readOverviewValues(base: string): Promise<OverviewValues & { readonly isPartial: boolean }> {
  try {
    const response = await request(base, "/overview", {});
    const answer: unknown = await response.json();
    if (!isJsonObject(answer)) return { ...NOTHING, isPartial: false };
    const named = (list: string, member: string): FilterValue[] => {
      const counts = new Map<string, number>();
      const rows: unknown = answer[list];
      for (const row of Array.isArray(rows) ? rows.filter(isJsonObject) : []) {
        const value = labelField(row, member);
        // A cause occurs once per tool, and the number of common sessions is not available.
        if (value !== undefined)
          counts.set(value, Math.max(counts.get(value) ?? 0, countField(row, "sessions")));
      }
      return Array.from(counts, ([value, count]) => ({ value, count }));
    };
    return {
      tool: named("tools", "name"),
      failed: named("failures", "tool").map(({ value }) => ({ value, count: 0 })),
      error: named("failures", "cause"),
      role: named("roles", "name"),
      isPartial: countField(objectField(answer, "coverage"), "unread") > 0,
    };
  } catch (error) {
    if (error instanceof ApiError || error instanceof SyntaxError) return { ...NOTHING, isPartial: true };
    throw error;
  }
}
