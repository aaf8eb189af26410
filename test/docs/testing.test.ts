import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as advanced from "../../src/advanced.js";
import { ENDPOINTS } from "../../src/application/questions/endpoints.js";
import { PROJECT_ROOT } from "../support/build.js";
import { snippetIn } from "../support/snippets.js";

const { createInMemoryInspectorDataSource, createInspectorContainer, recordsOf, TOKENS } = advanced;

const read = (file: string) => readFile(path.join(PROJECT_ROOT, file), "utf8");

describe("docs/testing.md", () => {
  it("shows the tests that the project runs", async () => {
    const document = await read("docs/testing.md");
    for (const name of ["use-cases.test.ts", "recorder.test.ts"])
      expect(snippetIn(document, name)).toBe(await read(`examples/unit-tests/${name}`));
  });

  it("names functions that there are", async () => {
    const named = [...(await read("docs/testing.md")).matchAll(/`(\w+)(?:\([\w, ]*\))?`/g)].map(
      ([, name = ""]) => name,
    );
    const functions = named.filter((name) =>
      /^(create|recordsOf|replay|order|keysOf|classify|parse)/.test(name),
    );
    expect(functions.length).toBeGreaterThan(7);
    for (const name of functions) expect([name, name in advanced]).toEqual([name, true]);
  });
});

describe("the parts of the container", () => {
  it("are all in the list of docs/architecture.md, and no others", async () => {
    const [, table = ""] =
      /\| Token \|.*\n\|---\|---\|\n((?:\|.*\n)+)/.exec(await read("docs/architecture.md")) ?? [];
    const rows = table.split("\n").flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)]);
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(TOKENS));
  });

  it("are of classes that can be imported", () => {
    const source = createInMemoryInspectorDataSource();
    const container = createInspectorContainer(source, { sessionStore: source.sessionStore });
    const others = ["dataSource", "priceTable", "cachedEdits", "clock", "sessionStore"];
    for (const [name, token] of Object.entries(TOKENS)) {
      if (others.includes(name)) continue;
      const part = container.resolve<object>(token as typeof TOKENS.recorder);
      expect([name, Object.values(advanced).includes(part.constructor as never)]).toEqual([name, true]);
    }
  });

  it("answer with lists whose records can be parsed, but for a caller that has the list", async () => {
    const source = createInMemoryInspectorDataSource([{ sessionId: "s1" }, { sessionId: "s2" }]);
    const listSessions = createInspectorContainer(source).resolve(TOKENS.listSessions);
    expect(await recordsOf(await listSessions.execute({}))).toMatchObject([
      { status: "idle" },
      { status: "idle" },
    ]);
    const same = await listSessions.execute({}, { has: () => true });
    await expect(recordsOf(same)).rejects.toThrow(TypeError);
  });
});

const COUNTS = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
  "Thirteen",
  "Fourteen",
  "Fifteen",
  "Sixteen",
  "Seventeen",
];

it("docs/http-api.md counts the paths that there are", async () => {
  const count = COUNTS[Object.keys(ENDPOINTS).length];
  expect(await read("docs/http-api.md")).toContain(`${count} paths below \`/__inspector\``);
});
