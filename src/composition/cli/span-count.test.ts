import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { spanCount } from "./span-count.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function countOn(isTTY: boolean) {
  const written: string[] = [];
  return { written, count: spanCount({ isTTY, write: (text) => written.push(text) }) };
}

describe("the count of spans", () => {
  it("changes in a terminal, a few times a second, and stays there at the end", () => {
    const { written, count } = countOn(true);
    for (let i = 0; i < 1_500; i++) count.add({ spans: 1, rejected: 0 });
    vi.advanceTimersByTime(200);
    count.add({ spans: 0, rejected: 2 });
    count.end();
    expect(written).toEqual([
      "\r1,500 spans received\u001b[K",
      "\r1,500 spans received, 2 rejected\u001b[K",
      "\n",
    ]);
    vi.advanceTimersByTime(1_000);
    expect(written).toHaveLength(3);
  });

  it("is printed nowhere else", () => {
    const { written, count } = countOn(false);
    count.add({ spans: 1, rejected: 0 });
    vi.advanceTimersByTime(1_000);
    count.end();
    expect([written, count.spans]).toEqual([[], 1]);
  });

  it("is not printed where nothing came", () => {
    const { written, count } = countOn(true);
    count.end();
    expect(written).toEqual([]);
  });
});
