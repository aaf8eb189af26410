import fc from "fast-check";
import { expect, it } from "vitest";
import { fromBase64Url, toBase64Url } from "./base64url.js";

it("writes any text as Node.js does, and reads it again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(toBase64Url(text)).toBe(Buffer.from(text).toString("base64url"));
      expect(fromBase64Url(toBase64Url(text))).toBe(text);
    }),
  );
});

it.each(["a", "a=", "a+b", "a/b", "é", "a b"])("reads nothing in %j", (encoded) => {
  expect(fromBase64Url(encoded)).toBeUndefined();
});
