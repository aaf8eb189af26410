import { expect, it } from "vitest";
import { hasMarkdown, markdownBlocks } from "./markdown-blocks.js";

const paragraph = "Words of an answer. ".repeat(80);

it("parts a long text between paragraphs, and loses nothing", () => {
  const text = Array.from({ length: 12 }, () => paragraph).join("\n\n");
  const blocks = markdownBlocks(text);
  expect(blocks.length).toBeGreaterThan(3);
  expect(blocks.join("\n")).toBe(text);
  expect(markdownBlocks(paragraph)).toEqual([paragraph]);
});

it("keeps code between fences, and lists, together", () => {
  const code = `\`\`\`\`js\n${`${paragraph}\n\n`.repeat(4)}\`\`\`\n\n${paragraph}\n\`\`\`\``;
  expect(markdownBlocks(code)).toEqual([code]);
  const list = Array.from({ length: 6 }, () => `- ${paragraph}\n\n  ${paragraph}`).join("\n\n");
  expect(markdownBlocks(list)).toEqual([list]);
});

it("knows a text that Markdown would show as it is", () => {
  expect(hasMarkdown("I will look at the door first.")).toBe(false);
  for (const text of ["a **b**", "# a", "- a\n- b", "1. a", "`a`", "| a |", "> a"]) {
    expect(hasMarkdown(text)).toBe(true);
  }
});
