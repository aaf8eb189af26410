import { expect, it } from "vitest";
import { ODD_VALUES } from "../../../test/support/odd-values.js";
import { otherFields } from "./other-fields.js";

const USUAL = {
  type: "tool.end",
  toolName: "Bash",
  toolCallId: 7,
  input: { command: "ls" },
  output: ["a"],
  isError: true,
  error: { message: "late" },
  usage: { inputTokens: 1 },
  turnIndex: 3,
};

it("are those of an event that are not shown elsewhere", () => {
  expect(otherFields({ ...USUAL, hook: 1 }, true)).toEqual([["hook", 1]]);
  expect(otherFields(USUAL, false)).toEqual([["usage", { inputTokens: 1 }]]);
  const error = { message: "late", code: 7 };
  expect(otherFields({ ...USUAL, error }, true)).toEqual([["error", error]]);
  expect(otherFields({ ...USUAL, outcome: "failed" }, true)).toEqual([]);
  expect(otherFields({ ...USUAL, outcome: "cancelled" }, true)).toEqual([["outcome", "cancelled"]]);
});

it.each(ODD_VALUES)("are also known ones that hold %s, unless that is shown as it is", (_, value) => {
  const names = ["toolName", "model", "stopReason", "agentId", "outcome", "isError", "error", "usage"];
  const odd = Object.fromEntries([...names, "input", "output", "prompt"].map((name) => [name, value]));
  const visible: unknown[] = otherFields(odd, false).map(([name]) => name);
  const isFact = typeof value === "string" || typeof value === "number";
  const isFlag = typeof value === "boolean";
  expect(visible).toEqual(
    names.filter((name) => {
      if (name === "isError") return !isFlag;
      if (name === "error") return typeof value !== "string";
      return name === "usage" || !isFact;
    }),
  );
});
