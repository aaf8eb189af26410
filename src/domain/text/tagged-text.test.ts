import { describe, expect, it, vi } from "vitest";
import { previewText } from "./preview-text.js";
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

  it("looks for the end of each tag once, however many have none", () => {
    const search = vi.spyOn(String.prototype, "indexOf");
    const parts = taggedParts("<system-reminder><user_query>".repeat(50_000));
    const searches = search.mock.calls.length;
    search.mockRestore();
    expect(parts).toHaveLength(1);
    expect(searches).toBe(2);
  });
});

describe("previewText", () => {
  it("shows no such tags", () => {
    expect(previewText("<tool_use_error>File <b>not</b> read</tool_use_error>")).toBe("File <b>not</b> read");
  });
});
