import { describe, expect, it } from "vitest";
import { compileOwnRules, ownRulesIn } from "./own-rules.js";

const fileOf = (...rules: readonly unknown[]) => ({ rules });

describe("a file of rules", () => {
  it.each([
    ["nothing", null, 'no list "rules"'],
    ["no list", { rule: [] }, 'no list "rules"'],
    ["a rule without a name", fileOf({ pattern: "a" }), "Rule 1 needs a name"],
    ["a name that would be a path", fileOf({ name: "../x", pattern: "a" }), 'Rule 1 ("../x") needs a name'],
    [
      "a rule without a pattern",
      fileOf({ name: "a", pattern: "a" }, { name: "b" }),
      'Rule 2 ("b") needs a pattern',
    ],
    [
      "a member that there is not",
      fileOf({ name: "a", pattern: "a", flags: "i" }),
      'Rule 1 ("a") has a member that there is not: "flags"',
    ],
  ])("is refused with the rule that is wrong: %s", async (_, file, message) => {
    await expect(ownRulesIn(file)).rejects.toThrow(message);
  });

  it.each([
    ["(", "not valid RE2"],
    ["(a)\\1", "not valid RE2"],
    ["a*", "matches an empty text"],
    [`(?:${"[a-z]{0,90}".repeat(20)})x`, "too large"],
  ])("is refused with a pattern that cannot be looked for: %s", async (pattern, message) => {
    await expect(ownRulesIn(fileOf({ name: "mine", pattern }))).rejects.toThrow(message);
    await expect(compileOwnRules([{ name: "mine", pattern }])).rejects.toThrow('"mine"');
  });
});
