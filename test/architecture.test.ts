import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EXCEPTIONS, onlyUserViolations, ROOMS, violationsOf } from "./support/architecture.js";
import { FOLDER_EXCEPTIONS, folderCircleViolations } from "./support/folder-circles.js";
import { PAGE_FOLDERS, pageViolationsOf } from "./support/page-architecture.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

function readSources(): Record<string, string> {
  const names = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const sources = names
    .map((name) => `src/${name.split(path.sep).join("/")}`)
    .filter((file) => /\.[cm]?tsx?$/.test(file) && !/\.test\.ts$/.test(file));
  return Object.fromEntries(sources.map((file) => [file, readFileSync(path.join(ROOT, file), "utf8")]));
}

function readPage(): Record<string, string> {
  const names = ["src", "ui/src"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name.split(path.sep).join("/")}`,
    ),
  );
  const sources = names.filter((file) => /\.(tsx?|css)$/.test(file) && !/\.test\.ts$/.test(file));
  return Object.fromEntries(sources.map((file) => [file, readFileSync(path.join(ROOT, file), "utf8")]));
}

describe("The sources", () => {
  const sources = readSources();

  it("import what their room may import, without cycles and barrels", () => {
    expect(violationsOf(sources, EXCEPTIONS)).toStrictEqual([]);
  });

  it("lie in a shared room only where two other rooms need them", () => {
    expect(onlyUserViolations({ ...sources, ...readPage() })).toStrictEqual([]);
  });

  it("are all checked", () => {
    const files = Object.keys(sources);
    expect(files.length).toBeGreaterThan(50);
    for (const { folder } of ROOMS) {
      const isInside = (file: string) =>
        folder === "" ? !file.slice("src/".length).includes("/") : file.startsWith(`src/${folder}/`);
      expect([folder, files.some(isInside)]).toEqual([folder, true]);
    }
  });
});

describe("The folders of a room", () => {
  it("do not reach each other in a circle", () => {
    const files = { ...readSources(), ...readPage() };
    expect(folderCircleViolations(files, FOLDER_EXCEPTIONS)).toStrictEqual([]);
  });
});

describe("The page", () => {
  const sources = readPage();

  it("takes of the service the domain and the table of endpoints alone, but where it holds the service itself, its folders build on one another, and nothing is a cycle", () => {
    expect(pageViolationsOf(sources)).toStrictEqual([]);
  });

  it("is checked in all its folders", () => {
    for (const folder of Object.keys(PAGE_FOLDERS)) {
      expect(Object.keys(sources).some((file) => file.startsWith(`ui/src/${folder}`))).toBe(true);
    }
  });
});

describe("The check of the page", () => {
  const tree = {
    "src/domain/id.ts": "export type Id = string;",
    "src/application/list.ts": "export type List = 1;",
    "ui/src/model/span.ts": 'import type { Id } from "../../../src/domain/id.js";\nexport type Span = Id;',
    "ui/src/engine/store.ts": 'import type { Span } from "../model/span.js";\nexport type Store = Span;',
    "ui/src/app/engine.ts": 'import type { Store } from "../engine/store.js";\nexport type Engine = Store;',
    "ui/src/views/row.module.css": "",
    "ui/src/views/row.tsx":
      'import { memo } from "react";\nimport type { Engine } from "../app/engine.js";\n' +
      'import styles from "./row.module.css";\nexport type Row = Engine;\nexport const row = { memo, styles };',
    "ui/src/views/view.tsx": 'import { row } from "./row.js";\nexport const view = row;',
  };

  it("has nothing against a tree that keeps to the table", () => {
    expect(pageViolationsOf(tree)).toStrictEqual([]);
  });

  it.each([
    ["ui/src/model/span.ts", 'import type { List } from "../../../src/application/list.js";'],
    ["ui/src/model/span.ts", 'import type { Store } from "../engine/store.js";'],
    ["ui/src/engine/store.ts", 'import { memo } from "react";'],
    ["ui/src/engine/store.ts", 'import type { Engine } from "../app/engine.js";'],
    ["ui/src/app/engine.ts", 'import type { Row } from "../views/row.js";'],
    ["ui/src/views/row.tsx", 'import { readFileSync } from "node:fs";'],
    ["ui/src/views/row.tsx", 'import { gone } from "./gone.js";'],
  ])("finds in %s: %s", (file, line) => {
    const planted = { ...tree, [file]: `${line}\n${tree[file as keyof typeof tree]}` };
    expect(pageViolationsOf(planted)).toContainEqual(expect.stringContaining(`${file} may not import`));
  });

  it("finds a cycle of components, of types too", () => {
    const planted = {
      ...tree,
      "ui/src/views/row.tsx": 'import type { view } from "./view.js";\nexport const row = 1;',
    };
    expect(pageViolationsOf(planted)).toStrictEqual([
      "a cycle: ui/src/views/row.tsx → ui/src/views/view.tsx → ui/src/views/row.tsx",
    ]);
  });

  it("finds a file in no folder of the table", () => {
    expect(pageViolationsOf({ ...tree, "ui/src/utils/text.ts": "export const text = 1;" })).toStrictEqual([
      "ui/src/utils/text.ts is in no folder of the table",
    ]);
  });
});

describe("The check of folders", () => {
  const tree = {
    "src/domain/text.ts": 'import type { Span } from "./spans/span.js";\nexport type Text = Span;',
    "src/domain/json/json.ts": "export type Json = string;",
    "src/domain/json/parse.ts": "export type Parse = string;",
    "src/domain/trace/event.ts":
      'import type { Json } from "../json/json.js";\nexport const event: Json = "";',
    "src/domain/spans/span.ts":
      'import type { event } from "../trace/event.js";\nexport type Span = typeof event;',
  };

  it("accepts a tree whose folders build on one another", () => {
    expect(folderCircleViolations(tree)).toStrictEqual([]);
  });

  it.each([
    ["two folders", "src/domain/json/parse.ts", 'import "../trace/event.js";', ["json", "trace"]],
    [
      "three folders",
      "src/domain/json/parse.ts",
      'import { Span } from "../spans/span.js";',
      ["json", "spans", "trace"],
    ],
    [
      "imports of types",
      "src/domain/json/parse.ts",
      'type Event = typeof import("../trace/event.js").event;',
      ["json", "trace"],
    ],
    [
      "a file beside the folders",
      "src/domain/json/parse.ts",
      'import type { Text } from "../text.js";',
      ["json", "spans", "trace"],
    ],
  ])("reports a circle of %s", (_, file, line, folders) => {
    const planted = { ...tree, [file]: line };
    expect(folderCircleViolations(planted)).toStrictEqual([
      `folders reach each other: ${folders.map((name) => `src/domain/${name}`).join(", ")}`,
    ]);
  });

  it("reports a circle inside of a folder, and one of the page", () => {
    const planted = {
      "src/adapters/files/bytes/a.ts": 'import "../threads/b.js";',
      "src/adapters/files/threads/b.ts": "",
      "src/adapters/files/threads/c.ts": 'import "../bytes/a.js";',
      "ui/src/views/trace/a.tsx": 'import "../session/b.js";',
      "ui/src/views/session/b.tsx": "",
      "ui/src/views/session/c.tsx": 'import "../trace/a.js";',
    };
    expect(folderCircleViolations(planted)).toStrictEqual([
      "folders reach each other: src/adapters/files/bytes, src/adapters/files/threads",
      "folders reach each other: ui/src/views/session, ui/src/views/trace",
    ]);
  });

  it("ignores an exception, reports a further circle, and reports an exception that closes none", () => {
    const exception = { from: "src/domain/json", to: "src/domain/trace" };
    const planted = { ...tree, "src/domain/json/parse.ts": 'import "../trace/event.js";' };
    expect(folderCircleViolations(planted, [exception])).toStrictEqual([]);
    const further = { ...planted, "src/domain/trace/order.ts": 'import "../spans/span.js";' };
    expect(folderCircleViolations(further, [exception])).toStrictEqual([
      "folders reach each other: src/domain/spans, src/domain/trace",
    ]);
    const { from, to } = exception;
    expect(folderCircleViolations(tree, [exception])).toStrictEqual([
      `${from} does not need its exception for ${to}`,
    ]);
    const reverse = { from: to, to: from };
    expect(folderCircleViolations(tree, [reverse])).toStrictEqual([
      `${to} does not need its exception for ${from}`,
    ]);
  });
});

const TREE: Readonly<Record<string, string>> = {
  "src/index.ts":
    'export { inspector } from "./composition/inspector.js";\nexport type { Id } from "./domain/id.js";',
  "src/domain/id.ts": "export type Id = string;",
  "src/domain/session.ts": 'import type { Id } from "./id.js";\nexport interface Session { readonly id: Id }',
  "src/application/list.ts":
    'import type { Session } from "../domain/session.js";\nexport type List = Session[];',
  "src/adapters/http/route.ts": 'import { Hono } from "hono";\nexport const route = new Hono();',
  "src/application/ports/records.ts": "export type Records = string[];",
  "src/application/threads/slices.ts": "export const slice = 4;",
  "src/adapters/files/lines.ts":
    'import { open } from "node:fs/promises";\nimport type { Records } from "../../application/ports/records.js";\n' +
    'import { slice } from "../../application/threads/slices.js";\nexport const lines: [unknown, Records] = [open, [String(slice)]];',
  "src/adapters/transcripts/transcript.ts":
    'import { lines } from "../files/lines.js";\nexport const transcript = lines;',
  "src/adapters/formats/claude-code/format.ts":
    'import { transcript } from "../../transcripts/transcript.js";\nexport const format = transcript;',
  "src/adapters/web-ui/page.ts": 'import { Hono } from "hono";\nexport const page = new Hono();',
  "src/demo/story.ts": 'import type { Id } from "../domain/id.js";\nexport const story: Id = "once";',
  "src/adapters/data-directory/source.ts":
    'import { lines } from "../files/lines.js";\nexport const source = lines;',
  "src/adapters/memory/source.ts": "export const source = 1;",
  "src/adapters/postgres/source.ts": 'import pg from "pg";\nexport const source = pg;',
  "src/composition/metadata.ts": 'import "reflect-metadata";',
  "src/composition/inspector.ts":
    'import "reflect-metadata";\nimport "./metadata.js";\nimport { container } from "tsyringe";\n' +
    'import { route } from "../adapters/http/route.js";\nimport { story } from "../demo/story.js";\n' +
    "export const inspector = { container, route, story };",
};

describe("The check of the sources", () => {
  it("has nothing against a tree that keeps to the table", () => {
    expect(violationsOf(TREE)).toStrictEqual([]);
  });

  it.each([
    ["src/domain/id.ts", 'import "node:fs";'],
    ["src/domain/id.ts", 'import "fs";'],
    ["src/domain/id.ts", 'import { Hono } from "hono";'],
    ["src/domain/id.ts", 'import type { List } from "../application/list.js";'],
    ["src/domain/id.ts", 'type List = import("../application/list.js").List;'],
    ["src/domain/id.ts", 'const list = await import("../application/list.js");'],
    ["src/domain/id.ts", 'const list = require("../application/list.js");'],
    ["src/domain/id.ts", "const other = await import(name);"],
    ["src/application/ports/records.ts", 'import type { List } from "../list.js";'],
    ["src/application/ports/records.ts", 'import { slice } from "../threads/slices.js";'],
    ["src/application/list.ts", 'import { randomUUID } from "node:crypto";'],
    ["src/application/list.ts", 'import { Tinypool } from "tinypool";'],
    ["src/application/list.ts", 'import { source } from "../adapters/memory/source.js";'],
    ["src/adapters/http/route.ts", 'import { source } from "../memory/source.js";'],
    ["src/adapters/http/route.ts", 'import { Readable } from "node:stream";'],
    ["src/adapters/http/route.ts", 'import { serve } from "@hono/node-server";'],
    ["src/adapters/memory/source.ts", 'import { lines } from "../files/lines.js";'],
    ["src/adapters/memory/source.ts", 'import { source as other } from "../data-directory/source.js";'],
    ["src/adapters/postgres/source.ts", 'import pLimit from "p-limit";'],
    ["src/adapters/postgres/source.ts", 'import { lines } from "../files/lines.js";'],
    ["src/adapters/files/lines.ts", 'import type { List } from "../../application/list.js";'],
    ["src/adapters/files/lines.ts", 'import { transcript } from "../../transcripts/transcript.js";'],
    ["src/adapters/transcripts/transcript.ts", 'import { format } from "../claude-code/format.js";'],
    [
      "src/adapters/formats/claude-code/format.ts",
      'import type { Records } from "../../application/ports/records.js";',
    ],
    [
      "src/adapters/formats/claude-code/format.ts",
      'import { source } from "../../data-directory/source.js";',
    ],
    ["src/adapters/web-ui/page.ts", 'import type { Session } from "../../domain/session.js";'],
    ["src/demo/story.ts", 'import { source } from "../adapters/memory/source.js";'],
    ["src/demo/story.ts", 'import { tmpdir } from "node:os";'],
    ["src/demo/story.ts", 'import { inspector } from "../composition/inspector.js";'],
    ["src/adapters/data-directory/source.ts", 'import { container } from "tsyringe";'],
    ["src/adapters/data-directory/source.ts", 'import { inspector } from "../../composition/inspector.js";'],
    ["src/composition/inspector.ts", 'import { inspector as own } from "../index.js";'],
    ["src/composition/inspector.ts", 'import { helper } from "../../test/helper.js";'],
    ["src/composition/inspector.ts", 'import { gone } from "./gone.js";'],
    ["src/index.ts", 'export { Hono } from "hono";'],
  ])("finds in %s: %s", (file, line) => {
    const planted = { ...TREE, [file]: `${line}\n${TREE[file]}` };
    expect(violationsOf(planted)).toContainEqual(expect.stringContaining(`${file} may not import`));
  });

  it("finds a folder that has no room", () => {
    const planted = { ...TREE, "src/utils/text.ts": "export const text = 1;" };
    expect(violationsOf(planted)).toStrictEqual(["src/utils/text.ts is in no room"]);
    const driver = { ...TREE, "src/adapters/mongodb/source.ts": "export const source = 1;" };
    expect(violationsOf(driver)).toStrictEqual(["src/adapters/mongodb/source.ts is in no room"]);
  });

  it.each([
    'export { id } from "./session.js";',
    'export * from "./session.js";',
    'export type { Session } from "./session.js";',
    'import { Session } from "./session.js";\nexport { Session };',
  ])("finds a barrel: %s", (text) => {
    const planted = { ...TREE, "src/domain/all.ts": text };
    expect(violationsOf(planted)).toContainEqual(expect.stringContaining("src/domain/all.ts hands on"));
  });

  it("finds an entry point that does more than export", () => {
    const planted = { ...TREE, "src/advanced.ts": "export const started = Date.now();" };
    expect(violationsOf(planted)).toStrictEqual([
      "src/advanced.ts is an entry point and holds more than exports",
    ]);
  });

  it.each([
    ['import { container } from "tsyringe";\nimport "./metadata.js";'],
    ['import { container } from "tsyringe";'],
    ['import type {} from "./metadata.js";\nimport { container } from "tsyringe";'],
  ])("finds a container before its metadata: %s", (text) => {
    const planted = { ...TREE, "src/composition/other.ts": text };
    expect(violationsOf(planted)).toContainEqual(expect.stringContaining("metadata.js before it"));
  });

  it.each([
    ['import "./metadata.js";\nimport { container } from "tsyringe";'],
    ['import "./metadata.js";\nimport "reflect-metadata";\nimport { container } from "tsyringe";'],
    [
      'import type {} from "reflect-metadata";\nimport "./metadata.js";\nimport { container } from "tsyringe";',
    ],
    ['import "./metadata.js";\nimport { container } from "tsyringe";\nimport "reflect-metadata";'],
  ])("reports a container whose module does not import reflect-metadata first: %s", (text) => {
    const planted = { ...TREE, "src/composition/other.ts": text };
    expect(violationsOf(planted)).toContainEqual(expect.stringContaining("is not reflect-metadata"));
  });

  it("finds a cycle, of types too", () => {
    const planted = { ...TREE, "src/domain/id.ts": 'import type { Session } from "./session.js";' };
    expect(violationsOf(planted)).toStrictEqual([
      "a cycle: src/domain/id.ts → src/domain/session.ts → src/domain/id.ts",
    ]);
  });

  it.each([
    ["src/adapters/files/tail.ts", "src/adapters/transcripts/transcript.ts", "adapters/transcripts"],
    ["src/adapters/transcripts/tail.ts", "src/adapters/formats/codex/format.ts", "adapters/formats/codex"],
    ["src/domain/trace/tail.ts", "src/domain/spans/span.ts", "domain/spans"],
    ["src/domain/trace/tail.ts", "ui/src/model/span.ts", "the page"],
    ["src/application/tail.ts", "src/adapters/http/route.ts", "adapters/http"],
  ])("finds %s, which %s alone uses, by a file that nobody else uses either", (file, user, room) => {
    const between = file.replace("tail", "last");
    const planted = {
      [file]: "export const tail = 1;",
      [between]: 'import { tail } from "./tail.js";\nexport const last = tail;',
      [user]: `import { last } from "${path.posix.relative(path.posix.dirname(user), between).replace(".ts", ".js")}";`,
    };
    expect(onlyUserViolations(planted)).toStrictEqual(
      [file, between].map((name) => `${name} belongs to ${room}, which alone uses it`),
    );
    const other = {
      "src/adapters/otlp/source.ts": `import "${path.posix.relative("src/adapters/otlp", between).replace(".ts", ".js")}";`,
    };
    expect(onlyUserViolations({ ...planted, ...other })).toStrictEqual([]);
  });

  it("lets an exception pass, and finds one that is not needed", () => {
    const file = "src/domain/id.ts";
    const exception = { file, specifier: "node:fs", reason: "a test" };
    expect(violationsOf({ ...TREE, [file]: 'import "node:fs";' }, [exception])).toStrictEqual([]);
    expect(violationsOf(TREE, [exception])).toStrictEqual([
      `${file} does not need its exception for node:fs`,
    ]);
  });
});
