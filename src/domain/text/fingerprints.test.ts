import { describe, expect, it } from "vitest";
import { ByteFingerprint, fingerprintOfNumbers } from "./fingerprints.js";

describe("a fingerprint of numbers", () => {
  it("is another one for each of many that are alike", () => {
    const found = new Set<number>();
    for (let i = 0; i < 300; i++)
      for (let k = 0; k < 300; k++) found.add(fingerprintOfNumbers(1, i, k * 4096, -1));
    expect(found.size).toBe(90_000);
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
