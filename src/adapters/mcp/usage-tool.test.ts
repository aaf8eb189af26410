import { expect, it } from "vitest";
import { OVERVIEW } from "../../../test/support/overview.js";
import type { InspectorUseCases } from "../../application/questions/endpoints.js";
import type { OverviewRequest } from "../../application/questions/get-overview.js";
import type { Overview } from "../../domain/overview/overview.js";
import { usageTool } from "./usage-tool.js";

/** What the tool answers where these are the overviews that it is given, one after the other. */
async function usage(overviews: readonly Overview[], input: object) {
  const left = [...overviews];
  const asked: OverviewRequest[] = [];
  const getOverview = {
    async execute(request: OverviewRequest) {
      asked.push(request);
      return left.shift()!;
    },
  };
  const { execute } = usageTool({ getOverview } as object as InspectorUseCases);
  const call = { signal: AbortSignal.timeout(10_000), onFailure: () => undefined };
  const [text = ""] = await execute(input, call);
  return { text, answer: JSON.parse(text) as Record<string, unknown>, asked };
}

it("asks until all sessions are read, and answers with figures, names and filters alone", async () => {
  const unread = { ...OVERVIEW, coverage: { ...OVERVIEW.coverage, unread: 7 } };
  const { text, answer, asked } = await usage([unread, unread, OVERVIEW], { by: "day", filter: "error" });
  expect(asked).toEqual(Array.from({ length: 3 }, () => ({ by: "day", filter: "error" })));
  expect(answer).toMatchObject({
    coverage: { unread: 0, withoutFacts: 1 },
    total: { sessions: 3, usd: 3.5, isLeast: true, inputTokens: 1_200 },
    pace: { month: "2026-11", usd: 5.25 },
    rows: [
      { name: "2026-11-24", sessions: 2, usd: 1 },
      { name: "2026-11-26", sessions: 1, usd: 2.5 },
    ],
    largestSessions: [{ tenantId: "acme", sessionId: "s1", usd: 2.5 }],
  });
  expect(text).not.toMatch(/Ignore all|ENOENT/);
});

it("gives of tools their failures and durations, beside those of the range before", async () => {
  const { answer } = await usage([{ ...OVERVIEW, range: { ...OVERVIEW.range, by: "tool" } }], { by: "tool" });
  expect(answer.rows).toMatchObject([
    { name: "bash", calls: 40, failures: 3, p95Ms: 61_000, previous: { failures: 0, p95Ms: 2_000 } },
    {},
  ]);
});

it("gives the newest of many times, and says how many there are besides", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ ...OVERVIEW.rows[0]!, name: `hour ${i}` }));
  const { answer } = await usage([{ ...OVERVIEW, rows }], { by: "hour" });
  expect([(answer.rows as object[]).length, (answer.rows as object[]).at(-1), answer.moreRows]).toEqual([
    50,
    expect.objectContaining({ name: "hour 59" }),
    10,
  ]);
});
