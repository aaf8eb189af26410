import { describe, expect, it } from "vitest";
import { CUT_OFF } from "../json/json.js";
import { eventSubject, inputPreview } from "./preview.js";

describe("the preview of a tool's input", () => {
  it("is the field that identifies the call best, in whatever order they come", () => {
    expect(inputPreview({ timeout: 5, description: "List files", command: "ls" }, "")).toBe("ls");
    expect(inputPreview({ filePath: "a.ts", content: "x" }, "")).toBe("a.ts");
  });

  it("is all of the input where no field is known", () => {
    expect(inputPreview({ left: 1, right: "b" }, "")).toBe("left: 1, right: b");
    expect(inputPreview("ls -l", "")).toBe("ls -l");
    expect(inputPreview(undefined, "")).toBe("");
  });

  it("is no deeper than values are read", () => {
    let deep: unknown = "inmost";
    for (let i = 0; i < 10_000; i++) deep = [deep];
    expect(inputPreview(deep, "")).toBe(CUT_OFF);
  });

  it("is cut to a length", () => expect(inputPreview({ command: "abcdef" }, "", 4)).toBe("abc…"));
});

const textOf = (...event: Parameters<typeof eventSubject>) => eventSubject(...event).text;

describe("what an event is about", () => {
  it("is its text", () => {
    expect(textOf("text", { type: "text", text: "I search." })).toBe("I search.");
    expect(textOf("text", { type: "thinking", thinking: "Perhaps." })).toBe("Perhaps.");
  });

  it("is the content of the record that it passes on", () => {
    const record = { message: { role: "user", content: "[Request interrupted]" } };
    expect(textOf("text", { type: "text", role: "user", record })).toBe("[Request interrupted]");
  });

  it("of a job is its prompt", () => {
    expect(textOf("job", { type: "agent_job_started", job: { prompt: "Find it." } })).toBe("Find it.");
  });
});
