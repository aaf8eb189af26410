import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { BUNDLED_PRICES } from "../../src/adapters/prices/bundled-prices.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import type { ListedSession } from "../../src/domain/session/model-usage.js";
import { costOfUsage } from "../../src/domain/usage/money.js";
import { sharedThread } from "../support/pools.js";
import { HAS_SHARED_DATA, WITHOUT_SHARED_DATA } from "../support/shared-data.js";
import { allProjects } from "./support/all-projects.js";
import { type NaiveTokens, type NaiveUsage, naiveUsage } from "./support/naive-usage.js";
import { projectsFolders } from "./support/real-histories.js";

/** Output of `ccusage`: `node scripts/compare-ccusage.mjs ../shared/data/claude-code/*\/projects`. */
interface Golden {
  readonly version: string;
  readonly sessions: Readonly<
    Record<string, Readonly<Record<string, NaiveTokens & { readonly cost: number }>>>
  >;
}

const pool = sharedThread();

const { sessions: COUNTED }: Golden = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "golden/ccusage.json"), "utf8"),
);

function listedUsage({ usageByModel = [] }: ListedSession): NaiveUsage {
  const listed: NaiveUsage = {};
  for (const { model = "", usage } of usageByModel) {
    const known = listed[model];
    listed[model] = {
      inputTokens: (known?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (known?.outputTokens ?? 0) + usage.outputTokens,
      cacheCreationTokens: (known?.cacheCreationTokens ?? 0) + usage.cacheWriteTokens,
      cacheReadTokens: (known?.cacheReadTokens ?? 0) + usage.cacheReadTokens,
    };
  }
  return listed;
}

function withoutCost(usage: Golden["sessions"][string]): NaiveUsage {
  return Object.fromEntries(Object.entries(usage).map(([model, { cost: _, ...tokens }]) => [model, tokens]));
}

describe("the tokens of Claude Code beside those of ccusage", () => {
  it.skipIf(!HAS_SHARED_DATA)(`were counted of every session${WITHOUT_SHARED_DATA}`, async () => {
    const listed = await Promise.all(
      projectsFolders().map(([, folder]) => createClaudeCodeDataSource(folder, { pool }).listSessions()),
    );
    const names = listed.flat().map(({ tenantId, sessionId }) => `${tenantId}/${sessionId}`);
    expect(names).toEqual(expect.arrayContaining(Object.keys(COUNTED)));
  });

  it("are priced alike, but for what was written to a cache for an hour", async () => {
    const ratesOf = await BUNDLED_PRICES.load();
    const priced = Object.values(COUNTED).flatMap((models) =>
      Object.entries(models).filter(([, { cost }]) => cost > 0),
    );
    expect(priced).toHaveLength(19);
    for (const [model, { cost, cacheCreationTokens, cacheReadTokens, ...usage }] of priced) {
      const rates = ratesOf({ model, at: Date.parse("2026-02-01T00:00:00Z"), contextTokens: 1 })!;
      const tokens = { ...usage, cacheReadTokens, cacheWriteTokens: cacheCreationTokens };
      expect(costOfUsage(tokens, rates)).toBeCloseTo(cost, 9);
    }
  });

  it.each(allProjects())("differ by what docs/prices.md says, to the token: %s", async (_, folder) => {
    for (const session of await createClaudeCodeDataSource(folder, { pool }).listSessions()) {
      const { tenantId, sessionId } = session;
      const count = (rule: Parameters<typeof naiveUsage>[2]) =>
        naiveUsage(path.join(folder, tenantId), sessionId, rule);
      const named = `${tenantId}/${sessionId}`;
      const theirs = { [named]: count({ counts: "first", withProgress: false, withCopies: true }) };
      // ccusage did not count the invented histories.
      if (named in COUNTED) expect(theirs).toEqual({ [named]: withoutCost(COUNTED[named]!) });
      const ours = { [named]: count({ counts: "largest output", withProgress: true, withCopies: false }) };
      expect({ [named]: listedUsage(session) }).toEqual(ours);
    }
  });
});
