import { describe, expect, it } from "vitest";
import { importBar } from "./import-histories.js";

function draw(isTTY: boolean, at: readonly number[]): string {
  let text = "";
  let now = 0;
  const bar = importBar({ isTTY, write: (piece) => (text += piece) }, () => now);
  for (const [i, time] of at.entries()) {
    now = time;
    bar.show({ sessions: i, totalSessions: 4, records: i * 10, bytes: i * 1_500_000 });
  }
  bar.end();
  return text;
}

describe("The bar of an import", () => {
  it("is drawn over itself in a terminal, ten times a second at most", () => {
    expect(draw(true, [0, 50, 120])).toBe(
      "\r[------------------------------] 0 of 4 sessions, 0 records, 0 B\u001b[K" +
        "\r[###############---------------] 2 of 4 sessions, 20 records, 3 MB\u001b[K\n",
    );
  });

  it("is a line now and then elsewhere, and one at the end", () => {
    const lines = draw(false, [0, 1_000, 4_000, 6_000, 6_001]).split("\n");
    expect(lines.map((line) => /\d of 4/.exec(line)?.[0])).toEqual(["0 of 4", "3 of 4", "4 of 4", undefined]);
  });
});
