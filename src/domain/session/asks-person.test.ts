import { describe, expect, it } from "vitest";
import { asksPerson } from "../dialects/question-tools.js";
import { questionIn, questionOf } from "./asks-person.js";

describe("what asks a person", () => {
  it("is a tool by its name", () => {
    const names = ["AskUserQuestion", "request_user_input", "ask_user", "question", "Bash", ""];
    expect(names.map(asksPerson)).toEqual([true, true, true, true, false, false]);
  });
});

describe("what is asked", () => {
  it.each([
    ["the first of several questions", { questions: [{ header: "Where", question: "Which\n region?" }, {}] }],
    ["a question", { question: "Which region?", choices: ["eu", "us"] }],
    ["JSON text", '{"questions":[{"question":"Which region?"}]}'],
    ["a plan", { plan: " Which region?" }],
  ])("is read from %s", (_name, input) => {
    expect(questionIn(input)).toBe("Which region?");
    expect(questionOf({ type: "tool.start", toolName: "ask_user", input })).toBe("Which region?");
  });

  it("is read from a wait for input", () => {
    expect(questionOf({ type: "input.waiting", prompt: "Deploy it?" })).toBe("Deploy it?");
    expect(questionOf({ type: "waiting_for_user_input", data: { question: "Deploy it?" } })).toBe(
      "Deploy it?",
    );
  });

  it("is not known where nothing says it, whatever is there instead", () => {
    for (const input of [
      undefined,
      null,
      7,
      "?",
      "{",
      [],
      { questions: "?" },
      { questions: [null] },
      { plan: " " },
    ]) {
      expect(questionIn(input)).toBeUndefined();
    }
    expect(questionOf({ type: "input.waiting" })).toBeUndefined();
  });

  it("is one line of at most 300 characters", () => {
    const question = questionOf({ type: "input.waiting", prompt: `${"why ".repeat(5_000)}?` });
    expect(question).toHaveLength(300);
    expect(question!.endsWith("…")).toBe(true);
  });
});
