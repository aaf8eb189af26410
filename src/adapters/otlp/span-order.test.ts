import { describe, expect, it } from "vitest";
import type { IndexedSpan } from "./read-spans.js";
import { orderSpans } from "./span-order.js";

const span = (spanId: string, parentSpanId: string | undefined, startedAt: number, endedAt: number) =>
  ({ traceId: "t", spanId, parentSpanId, startedAt, endedAt }) as IndexedSpan;

/** `+` for a start, `-` for an end. */
function orderOf(...spans: IndexedSpan[]): string {
  const steps = orderSpans([spans]);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value.map(({ span: { spanId }, isEnd }) => `${isEnd ? "-" : "+"}${spanId}`).join(" ");
}

describe("the order of spans", () => {
  it("begins parents before their children and ends them behind, also at one instant", () => {
    expect(orderOf(span("a", "b", 1, 5), span("b", undefined, 1, 5))).toBe("+b +a -a -b");
  });

  it("begins a parent no later than its children, whatever its clock said", () => {
    expect(orderOf(span("a", "b", 1, 2), span("b", undefined, 3, 4))).toBe("+b +a -a -b");
  });

  it("ends a parent behind what failed in it a moment later, and not behind what went on", () => {
    const failed = (id: string, parent: string, to: number) => ({
      ...span(id, parent, 1, to),
      hasFailed: true,
    });
    expect(orderOf(failed("a", "b", 5.4), span("b", "c", 1, 5), span("c", undefined, 1, 5))).toBe(
      "+c +b +a -a -b -c",
    );
    expect(orderOf(failed("a", "b", 17), span("b", undefined, 1, 5))).toBe("+b +a -b -a");
    expect(orderOf(span("a", "b", 1, 5.4), span("b", undefined, 1, 5))).toBe("+b +a -b -a");
  });

  it("begins a parent that is not there, and does not end it", () => {
    expect(orderOf(span("a", "gone", 1, 2))).toBe("+gone +a -a");
  });

  it("ends what ended before the next one begins", () => {
    const root = span("r", undefined, 0, 9);
    expect(orderOf(root, span("a", "r", 1, 2), span("b", "r", 2, 3))).toBe("+r +a -a +b -b -r");
  });
});
