import { expect, it } from "vitest";
import { causeOf } from "./cause-of.js";

it.each([
  [
    "Error: ENOENT: no such file or directory, open '/srv/shop/a.ts'",
    "Error: ENOENT: no such file or directory, open …",
  ],
  ["cat: src/app/main.ts: No such file or directory", "cat: …: No such file or directory"],
  ["Exit code 127\nbash: foo: command not found", "Exit code 127"],
  ["HTTP 503 from https://api.example.com/v1/x?key=1", "HTTP 503 from …"],
  ["request req_011CSHoEeqs5C35K2UUqR7Fy timed out after 120000ms", "request … timed out after n"],
  ["<tool_use_error>File has not been read yet.</tool_use_error>", "File has not been read yet."],
  ["\u001b[31mError\u001b[0m: it\u0007 broke", "Error: it broke"],
  ["C:\\Users\\ada\\shop\\a.ts is locked", "… is locked"],
  ["session 0b6c3f5e-7f8a-4c1f-9a1e-2f3b4c5d6e7f is gone", "session … is gone"],
])("folds %j", (text, cause) => {
  expect(causeOf(text)).toBe(cause);
});

it("says the same of errors that differ in ids, paths and numbers", () => {
  const texts = ["a1", "b2"].map(
    (name, i) => `Timed out after ${1000 + i} ms in /home/${name}/x.ts (0x${i}f)`,
  );
  expect(new Set(texts.map(causeOf)).size).toBe(1);
});

it("is done soon with a hostile text", () => {
  const hostile = [
    "/".repeat(1e6),
    "a/".repeat(5e5),
    "'".repeat(1e6),
    `${"a".repeat(999)}/`,
    "<".repeat(1e6),
  ];
  for (const text of hostile) expect(causeOf(text).length).toBeLessThanOrEqual(160);
});
