import { describe, expect, it } from "vitest";
import { ByteFingerprint, derivedId, derivedIds, fingerprintOfNumbers } from "./fingerprints.js";

describe("a fingerprint of numbers", () => {
  it("is another one for each of many that are alike", () => {
    const fingerprints = new Set<number>();
    for (let i = 0; i < 300; i++)
      for (let k = 0; k < 300; k++) fingerprints.add(fingerprintOfNumbers(1, i, k * 4096, -1));
    expect(fingerprints.size).toBe(90_000);
  });

  it("tells in which order they came, how many they were, and fractions", () => {
    const all = [[1, 2], [2, 1], [1], [1, 2, 0], [1.5, 2], [1, 2.5], []];
    expect(new Set(all.map((numbers) => fingerprintOfNumbers(...numbers))).size).toBe(all.length);
  });

  it("is that of the numbers added one by one", () => {
    const fingerprint = new ByteFingerprint();
    for (const number of [7, 1e12, -0.25]) fingerprint.addNumber(number);
    expect(fingerprint.toNumber()).toBe(fingerprintOfNumbers(7, 1e12, -0.25));
  });
});

describe("a fingerprint of bytes", () => {
  it("is that of the bytes, wherever they lie", () => {
    const bytes = new TextEncoder().encode("..what was said");
    const of = (part: Uint8Array) => {
      const fingerprint = new ByteFingerprint();
      fingerprint.add(part);
      return fingerprint.toString();
    };
    expect(of(bytes.subarray(2))).toBe(of(new TextEncoder().encode("what was said")));
    expect(of(bytes.subarray(2))).not.toBe(of(bytes.subarray(1)));
    expect(of(bytes.subarray(2, 14))).not.toBe(of(bytes.subarray(2)));
  });
});

describe("A derived id", () => {
  it("is a UUID of version 8, the same for the same text alone", () => {
    const ids = ["", "a", "b", "ab"].map(derivedId);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(4);
    expect(["", "a", "b", "ab"].map(derivedId)).toEqual(ids);
  });

  it("is the same where the beginning is read once for many", () => {
    for (const beginning of ["", "tenant/s.jsonl/", "🐎"]) {
      const idOf = derivedIds(beginning);
      for (const rest of ["", "0/1/2/false", "é"]) expect(idOf(rest)).toBe(derivedId(beginning + rest));
    }
  });

  it("never changes: links and caches hold it", () => {
    expect(derivedId("tenant/s.jsonl/0/1/2/false")).toBe("5970c50a-6a36-8f8f-ab73-2a0905f23fac");
  });
});
