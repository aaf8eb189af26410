import { expect, it } from "vitest";
import { storedText } from "./stored-text.js";

const bytesOf = (text: string) => Buffer.from(text).toString("latin1");

it.each(["a.ts", "Größe", "日本語 😀", ""])(
  "gives a text as its bytes say it, whether or not it was decoded: %s",
  (text) => {
    expect(storedText(bytesOf(text))).toBe(text);
    expect(storedText(text)).toBe(text);
  },
);

it("leaves out the part of a character that a text was cut within", () => {
  expect(storedText(bytesOf("Größe").slice(0, 3))).toBe("Gr");
});

it("leaves a text as it is whose bytes are no UTF-8", () => {
  expect(storedText("caf\u00e9 au lait")).toBe("caf\u00e9 au lait");
});
