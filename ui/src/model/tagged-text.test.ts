import { describe, expect, it } from "vitest";
import { previewText } from "./formats.js";
import { taggedParts } from "./tagged-text.js";

describe("taggedParts", () => {
  it("reads what a tag says of a piece", () => {
    expect(
      taggedParts("<command-message>init</command-message>\n<command-name>/init</command-name>\n\nand go"),
    ).toEqual([
      { label: "Command message", text: "init" },
      { label: "Command name", text: "/init" },
      { label: "", text: "and go" },
    ]);
    expect(taggedParts("file\n<system-reminder>\nBe kind.\n</system-reminder>\n")).toEqual([
      { label: "", text: "file" },
      { label: "System reminder", text: "Be kind." },
    ]);
    expect(taggedParts("<command-args></command-args>")).toEqual([]);
  });

  it("leaves other tags, and those without an end, in the text", () => {
    for (const text of ["", " plain ", "<b>x</b>", "a <system-reminder> b", "</tool_use_error>", "<>"]) {
      expect(taggedParts(text)).toEqual([{ label: "", text }]);
    }
    expect(taggedParts("<tool_use_error><b>no</b></tool_use_error>")).toEqual([
      { label: "Tool use error", text: "<b>no</b>" },
    ]);
  });

  it("takes one pass, however many tags have no end", () => {
    const text = "<system-reminder><user_query>".repeat(50_000);
    const before = performance.now();
    expect(taggedParts(text)).toHaveLength(1);
    expect(performance.now() - before).toBeLessThan(500);
  });
});

describe("previewText", () => {
  it("shows no such tags", () => {
    expect(previewText("<tool_use_error>File <b>not</b> read</tool_use_error>")).toBe("File <b>not</b> read");
  });
});
