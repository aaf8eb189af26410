import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainInstant, plainInteger } from "./short-values.js";

const encode = (text: string) => new TextEncoder().encode(text);

describe("plainInstant", () => {
  it("reads what toISOString writes, and leaves to others what it does not read", () => {
    const date = fc.date({ min: new Date("1970-01-01"), max: new Date("9998-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(date, (instant) => {
        const bytes = encode(JSON.stringify(instant.toISOString()));
        expect([undefined, instant.getTime()]).toContain(plainInstant(bytes, 0, bytes.length));
        if (instant.getUTCDate() <= 28) expect(plainInstant(bytes, 0, bytes.length)).toBe(instant.getTime());
      }),
    );
  });

  it("leaves years outside of the range of instants to others", () => {
    for (const year of ["0000", "0001", "1969", "9999"])
      expect(plainInstant(encode(`"${year}-01-01T00:00:00.000Z"`), 0, 26), year).toBeUndefined();
  });

  it("reads nothing that Date.parse reads differently", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^20\d\d-\d\d-\d\d[T ]\d[\dx]:\d[\dx]:\d[\dx]\.\d\d[\dx]Z$/), (text) => {
        const instant = plainInstant(encode(`"${text}"`), 0, 26);
        if (instant !== undefined) expect(instant).toBe(Date.parse(text));
      }),
    );
  });
});

describe("plainInteger", () => {
  it("reads what JSON.parse reads, for plain integers", () => {
    fc.assert(
      fc.property(fc.oneof(fc.nat(), fc.maxSafeNat(), fc.double()), (value) => {
        const text = JSON.stringify(value);
        const parsed: unknown = JSON.parse(text);
        const instant = plainInteger(encode(text), 0, text.length);
        if (instant !== undefined) expect(instant).toBe(parsed);
        if (Number.isSafeInteger(value) && value >= 0 && value < 1e15) expect(instant).toBe(parsed);
      }),
    );
  });
});
