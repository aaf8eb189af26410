import fc from "fast-check";
import { expect, it } from "vitest";
import { formatInstant } from "./instant.js";

it("formats an instant as the platform does, on any day of the range of Date", () => {
  const instants = fc.oneof(
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.integer({ min: 0, max: 172_800_000 }),
    fc.double({ min: -1e12, max: 2e12, noNaN: true }),
  );
  fc.assert(
    fc.property(instants, fc.integer({ min: -2, max: 2 }), (instant, days) => {
      expect(formatInstant(instant)).toBe(new Date(instant).toISOString());
      const other = Math.trunc(instant / 2) + days * 86_400_000;
      expect(formatInstant(other)).toBe(new Date(other).toISOString());
    }),
    { numRuns: 2_000 },
  );
  expect(() => formatInstant(Number.NaN)).toThrow(RangeError);
});
