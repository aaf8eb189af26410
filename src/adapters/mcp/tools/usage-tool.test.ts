import { expect, it } from "vitest";
import { OVERVIEW } from "../../../../test/support/overview.js";
import type { OverviewRequest } from "../../../application/questions/get-overview.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { Overview } from "../../../domain/overview/overview.js";
import { renderAnswer } from "../answer/render-answer.js";
import { Handles } from "./handles.js";
import { usageTool } from "./usage-tool.js";

/** Returns the tool's answer for these overviews, which its use case returns one after the other. */
async function usage(overviews: readonly Overview[], input: object) {
  const left = [...overviews];
  const requests: OverviewRequest[] = [];
  const getOverview = {
    async execute(request: OverviewRequest) {
      requests.push(request);
      return left.shift()!;
    },
  };
  const useCases = { getOverview } as object as InspectorUseCases;
  const signal = AbortSignal.timeout(10_000);
  const call = { signal, onFailure: () => undefined, handles: new Handles(useCases) };
  const answer = renderAnswer(await usageTool(useCases).execute(input, call), {
    nonce: () => "f".repeat(16),
  });
  return { answer, requests };
}

it("asks until all sessions are read, and answers with figures and names alone", async () => {
  const unread = { ...OVERVIEW, coverage: { ...OVERVIEW.coverage, unread: 7 } };
  const { answer, requests } = await usage([unread, unread, OVERVIEW], { by: "day", filter: "error" });
  expect(requests).toEqual(Array.from({ length: 3 }, () => ({ by: "day", filter: "error" })));
  expect(answer).toMatch(/^coverage: sessions=3 unread=0 /m);
  expect(answer).toMatch(/^total: sessions=3 usd=≥3.5 input=1200 /m);
  expect(answer).toMatch(/^this month: .* willBeUsd=5.25 /m);
  expect(answer).toMatch(/^2026-11-24 2 1 .*\n2026-11-26 1 ≥2.5 /m);
  expect(answer).toMatch(/^s-[0-9a-f]{10} \S+ ≥?2.5 /m);
  expect(answer).not.toMatch(/Ignore all|ENOENT|acme/);
});

it("gives of tools their failures and durations, beside those of the range before, and fences names that it does not know", async () => {
  const { answer } = await usage([{ ...OVERVIEW, range: { ...OVERVIEW.range, by: "tool" } }], { by: "tool" });
  expect(answer).toMatch(/^bash \d+ 40 3 \d+ \S+ 61 .* 0$/m);
  const fenced = /^<untrusted-f{16} many sessions>\n(.*)\n<\/untrusted-f{16}>$/ms.exec(answer)?.[1];
  expect(fenced).toContain('"\\u001b[2J" 1 1 0');
});

it("gives the newest of many times, and says how many there are besides", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    ...OVERVIEW.rows[0]!,
    name: `2026-11-${10 + Math.floor(i / 24)} ${String(i % 24).padStart(2, "0")}:00`,
  }));
  const range = { ...OVERVIEW.range, by: "hour" as const };
  const { answer } = await usage([{ ...OVERVIEW, range, rows }], { by: "hour" });
  expect(answer.match(/^2026-11-1\dT\d\d:00 /gm)).toHaveLength(50);
  expect(answer).toMatch(/^2026-11-12T11:00 /m);
  expect(answer).toMatch(/^omitted rows: rows=10$/m);
});
