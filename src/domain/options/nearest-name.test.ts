import { describe, expect, it } from "vitest";
import { nearestName } from "./nearest-name.js";

const NAMES = ["access", "onError", "timeoutMs", "prices", "now", "inspector", "inspectorOptions"];

describe("The nearest name", () => {
  it.each([
    ["acess", "access"],
    ["accesss", "access"],
    ["Access", "access"],
    ["acecss", "access"],
    ["onerror", "onError"],
    ["on_error", "onError"],
    ["timeout", "timeoutMs"],
    ["nwo", "now"],
    ["inspectorOption", "inspectorOptions"],
    ["inspectors", "inspector"],
  ])("of %s is %s", (written, name) => {
    expect(nearestName(written, NAMES)).toBe(name);
  });

  it("is none for what is like no name", () => {
    for (const written of ["", "guard", "w", "dataDirectory", "x".repeat(1_000_000)]) {
      expect(nearestName(written, NAMES)).toBeUndefined();
    }
  });

  it("is the first of two that are equally near", () => {
    expect(nearestName("cat", ["car", "can"])).toBe("car");
  });
});
