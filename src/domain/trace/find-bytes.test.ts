import fc from "fast-check";
import { expect, it } from "vitest";
import { findBytes, searchBytes } from "./find-bytes.js";

it.each([
  ["Node's search", findBytes],
  ["the search of any runtime", searchBytes],
])("%s finds bytes where they occur first from a place on", (_, find) => {
  const texts = (maxLength: number, minLength = 0) =>
    fc.string({ unit: fc.constantFrom("a", "b"), minLength, maxLength });
  fc.assert(
    fc.property(texts(12), texts(3, 1), fc.nat(13), (text, wanted, from) => {
      const bytes = (part: string) => new TextEncoder().encode(part);
      expect(find(bytes(text), bytes(wanted), from)).toBe(
        from > text.length ? -1 : text.indexOf(wanted, from),
      );
    }),
  );
});
