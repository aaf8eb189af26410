import { expect, it } from "vitest";
import { colouredChange, colouredLines, languageOf, piecesIn } from "./coloured-lines.js";

it("takes of a tree what the innermost node that has a class says, however deep that lies", () => {
  const text = (value: string) => ({ type: "text", value });
  const node = (name: string, ...children: object[]) => {
    return { type: "element", properties: { className: [name] }, children: children as never };
  };
  let deep = node("hljs-subst", text("c"));
  for (let i = 0; i < 20_000; i++) deep = node("", deep);
  expect(piecesIn([text("a"), node("hljs-string", text("b"), deep, text("d"))])).toEqual([
    { kind: "", text: "a" },
    { kind: "string", text: "b" },
    { kind: "subst", text: "c" },
    { kind: "string", text: "d" },
  ]);
});

it("parts what spans lines", () => {
  const pieces = [
    { kind: "", text: "a\n" },
    { kind: "comment", text: "/* b\n\nc */" },
    { kind: "", text: " d" },
  ];
  expect(colouredLines(pieces)).toEqual([
    [{ kind: "", text: "a" }],
    [{ kind: "comment", text: "/* b" }],
    [],
    [
      { kind: "comment", text: "c */" },
      { kind: "", text: " d" },
    ],
  ]);
});

it("colours what was before and what is now as texts of their own", () => {
  const requests: string[] = [];
  const lines = [
    { type: "context", text: "same" },
    { type: "removed", text: "old" },
    { type: "added", text: "new" },
    { type: "note", text: "No newline at end of file" },
  ] as const;
  const coloured = colouredChange(lines, (text) => {
    requests.push(text);
    return [{ kind: "string", text }];
  });
  expect(requests).toEqual(["same\nold", "same\nnew"]);
  expect(coloured.map((pieces) => pieces?.map(({ text }) => text))).toEqual([
    ["same"],
    ["old"],
    ["new"],
    undefined,
  ]);
});

it("knows the language of a file by its name", () => {
  const paths = ["src/a.ts", "C:\\b\\c.PY", "Makefile", "src.d/LICENSE", "/home/ada/.zshrc", "constructor"];
  expect(paths.map(languageOf)).toEqual(["ts", "py", "makefile", "", "bash", ""]);
});
