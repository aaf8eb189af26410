import { expect, it } from "vitest";
import { reasonIn } from "./output-envelopes.js";

const CODEX = (chunk: string, code: number) =>
  `Chunk ID: ${chunk}\nWall time: 0.0521 seconds\nProcess exited with code ${code}\nOriginal token count: 9\nOutput:\n`;

it.each([
  [`${CODEX("a1b2c3", 1)}no such table`, "no such table"],
  [`${CODEX("a1b2c3", 1)}\n> shop@1.0.0 test /srv/shop\n> vitest\n\nno such table`, "no such table"],
  [CODEX("a1b2c3", 7), "Exit code 7"],
  ["Exit code: 2\nWall time: 1 seconds\nOutput:\nbad flag\nOutput: more", "bad flag\nOutput: more"],
  ["Exit code: 1\nWall time: 0.1 seconds\nTotal output lines: 9\nOutput:\nbad flag", "bad flag"],
  ["Exit code 127\nbash: foo: command not found", "bash: foo: command not found"],
  ["Exit code 1", "Exit code 1"],
  ["Error: Command failed (exit code: 1)\nls: /nope", "ls: /nope"],
  ["Command: ls\nDirectory: (root)\nOutput: a\nb\nError: (none)\nExit Code: 2\nSignal: (none)", "a\nb"],
  [
    "Command: ls\nDirectory: (root)\nStdout: (empty)\nStderr: no disk\nError: (none)\nExit Code: 2",
    "no disk",
  ],
  ["Command: ls\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 2", "Exit code 2"],
  ["No such file", "No such file"],
  ["", ""],
])("removes the envelope of %j", (text, reason) => {
  expect(reasonIn(text)).toBe(reason);
});

it("is done soon with a hostile text", () => {
  for (const part of ["> \n", "\n", "Chunk ID\n", "Command: \nDirectory: \n", "\nError: ", "Exit code 1\n"])
    expect(reasonIn(part.repeat(1e5)).length).toBeLessThanOrEqual(part.length * 1e5);
});
