import { expect, it } from "vitest";
import { keepCommand } from "./keep-command.js";

it("copies the source's folder, which a shell takes as it is", () => {
  const paths = ["/home/ada/.claude/projects", "/home/ada lovelace/x", "/it's/$HOME", "-rf"];
  expect(paths.map((path) => keepCommand({ path }))).toEqual([
    "agent-inspector keep /home/ada/.claude/projects --to ~/agent-histories",
    "agent-inspector keep '/home/ada lovelace/x' --to ~/agent-histories",
    "agent-inspector keep '/it'\\''s/$HOME' --to ~/agent-histories",
    "agent-inspector keep '-rf' --to ~/agent-histories",
  ]);
});

it("copies all that is found where the folder is not known", () => {
  expect(keepCommand({})).toBe("agent-inspector keep --to ~/agent-histories");
});
