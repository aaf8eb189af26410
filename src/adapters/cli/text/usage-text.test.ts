import { describe, expect, it } from "vitest";
import { OVERVIEW } from "../../../../test/support/overview.js";
import { usageText } from "./usage-text.js";

describe("the text of an overview", () => {
  it("is a table of times in which something happened, with a total, the pace, and what the sums leave out", () => {
    expect(
      usageText(OVERVIEW),
    ).toBe(`DAY         SESSIONS  CALLS  INPUT  OUTPUT  CACHE READ  CACHE WRITE    COST  FAILED
2026-11-24         2     12   1.2k     300         45k            0   $1.00       3
2026-11-26         1     12   1.2k     300         45k            0  ≥$2.50       3
TOTAL              3     12   1.2k     300         45k            0  ≥$3.50       3

At this pace $5.25 in November ($3.50 so far, $0.50 a day since 2026-11-19).
At most 2 sessions and 1 agent at a time, at 2026-11-24 11:15.
3 sessions from 2026-11-24 00:00 until 2026-11-26 10:00 (Europe/Berlin).
1 session with totals only: the sums exclude tools, failures and times.
1 session partly priced.
2 sessions skipped: too little is recorded to apply the filter.
`);
  });

  it("is of tools their calls, failures and durations beside those before, and what failed", () => {
    const text = usageText({ ...OVERVIEW, range: { ...OVERVIEW.range, by: "tool" } });
    expect(text.split("\n").slice(0, 6)).toEqual([
      "TOOL       CALLS  FAILED  ERROR RATE   P50     P95  RESULT TOKENS  CARRYING COST  BEFORE: ERROR RATE    P95",
      "bash          40       3        7.5%  80ms  1m 01s           ≈900        ≈<$0.01                  0%  2.00s",
      "\\u{1b}[2J      1       0          0%     -       -             ≈0              -                   -      -",
      "",
      "FAILED  SESSIONS  FIRST             LAST              TOOL  CAUSE",
      "     3         2  2026-11-24 11:00  2026-11-26 09:00  bash  Error: ENOENT: no such file",
    ]);
  });

  it("has no instant for failures and a peak before 1971", () => {
    const epoch = "1970-01-01T00:00:00.000Z";
    const failures = OVERVIEW.failures.map((group) => ({ ...group, firstAt: epoch, lastAt: epoch }));
    const concurrency = { ...OVERVIEW.concurrency, peakAt: epoch };
    const undated = { ...OVERVIEW, failures, concurrency };
    const tools = usageText({ ...undated, range: { ...OVERVIEW.range, by: "tool" } });
    expect(tools).toMatch(/^ +3 +2 +- +- +bash +Error: ENOENT/m);
    expect(usageText(undated)).toContain("At most 2 sessions and 1 agent at a time.\n");
  });

  it("says that there is nothing", () => {
    const coverage = { ...OVERVIEW.coverage, sessions: 0, withoutFacts: 0, partlyPriced: 0, undecided: 0 };
    expect(usageText({ ...OVERVIEW, coverage })).toBe(
      "No session did anything from 2026-11-24 00:00 until 2026-11-26 10:00 (Europe/Berlin).\n",
    );
    expect(usageText({ ...OVERVIEW, coverage: { ...coverage, inFuture: 1 } })).toContain(
      "\n1 session dated after now: the sums exclude that part.\n",
    );
  });
});
