import { describe, expect, it } from "vitest";
import { packCode } from "../../../scripts/pack-code.mjs";
import { unpackCode } from "./unpack-code.js";

describe("The code of a page that is a file", () => {
  it("is unpacked as it was", () => {
    for (const text of ["", "a", "abab".repeat(5_000), `${words(3_000)}é ${words(3_000)}`]) {
      expect(new TextDecoder().decode(unpackCode(packCode(text))) === text).toBe(true);
    }
  });

  it("is not unpacked where a byte of it is another one, or the end is missing", () => {
    const sound = packCode("function f() {}");
    for (let i = 0; i < sound.length; i++) {
      expect(() => unpackCode(sound.map((byte, at) => (at === i ? byte ^ 4 : byte)))).toThrow(
        "It is damaged",
      );
      expect(() => unpackCode(sound.subarray(0, i))).toThrow("It is damaged");
    }
  });
});

/** A text with what repeats itself nearby and far away, from the same beginning each time. */
function words(count: number): string {
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48_271) % 0x7fffffff;
    return seed % below;
  };
  return Array.from({ length: count }, () => `w${next(7) < 5 ? next(50) : next(90_000)}(`).join(" ");
}
