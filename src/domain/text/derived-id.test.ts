import { describe, expect, it } from "vitest";
import { derivedId, derivedIds } from "./derived-id.js";

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
