import { expect, it } from "vitest";
import { textLines } from "./file-change.js";
import { LineTexts } from "./line-texts.js";

it("the lines of a text are the same whatever text came before it", () => {
  const texts = ["", "\n", "a", "a\n", "a\n\n", "a\nb\na", "a\na\n", "b\na\nb\na\n", "b\nb\na\nb"];
  for (const before of texts) {
    const lineTexts = new LineTexts();
    const lines = textLines(before).map((text) => ({ text }));
    for (const text of [...texts, ...texts])
      expect(lineTexts.lines(text, lines), JSON.stringify([before, text])).toEqual(textLines(text));
  }
});
