import { expect, it } from "vitest";
import type { RecordedRow } from "../recorder/trace-rows.js";
import { EnvelopeBatchPlan } from "./envelope-batch-plan.js";

const rowOf = (start: number, length: number) => ({ start, length, line: 1 }) as RecordedRow;

it("a batch takes many envelopes of one long line, which is read once for them, and no other line beside it", () => {
  const plan = new EnvelopeBatchPlan();
  const long = rowOf(0, 50_000_000);
  const next = rowOf(50_000_000, 10);
  while (plan.hasRoomFor(0, long)) plan.add(0, long);
  expect(plan.size).toBeGreaterThan(100);
  expect(plan.lines.get(0)?.size).toBe(1);
  expect(plan.hasRoomFor(0, next)).toBe(false);

  const other = new EnvelopeBatchPlan();
  other.add(0, long);
  expect([other.hasRoomFor(0, long), other.hasRoomFor(0, next), other.hasRoomFor(1, long)]).toEqual([
    true,
    false,
    false,
  ]);
});
