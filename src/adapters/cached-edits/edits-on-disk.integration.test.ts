import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import type { RecordedEdit } from "../../domain/changes/recorded-edits.js";
import { cachedEditsIn } from "./edits-on-disk.js";

const NAMES = ["total.js"];

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "edits-cache-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});

const edit = (id: string, original?: string): RecordedEdit => ({
  ...{ id, sequence: 1, at: 2, tool: "Edit", agentId: "" },
  edit: {
    ...{ path: "/shop/total.js", change: { is: "written", content: id } },
    ...(original === undefined ? {} : { original }),
  },
});

const session = (sessionId: string, identity = "1") => ({
  key: { tenantId: "acme", sessionId },
  identity,
});

const text = () => readFileSync(path.join(dir, readdirSync(dir)[0]!), "utf8");

it("edits are there for the next start as long as their session is the same, each with the whole file before it", async () => {
  const edits = [edit("a", "before a\n"), edit("b", "before b\n"), edit("c")];
  await cachedEditsIn(dir, "histories").keep(NAMES, [
    { ...session("one"), edits },
    { ...session("two"), edits: [] },
  ]);
  const cached = await cachedEditsIn(dir, "histories").of(NAMES);
  expect(cached(session("one"))).toEqual(edits);
  expect(cached(session("two"))).toEqual([]);
  expect([cached(session("one", "2")), cached(session("three"))]).toEqual([undefined, undefined]);
  expect((await cachedEditsIn(dir, "others").of(NAMES))(session("one"))).toBeUndefined();
});

it("a file that several edits found the same is kept once, and as long as one of their sessions is the same", async () => {
  const cachedEdits = cachedEditsIn(dir, "histories");
  const same = "the same before each\n";
  for (const id of ["one", "two", "three"])
    await cachedEdits.keep(NAMES, [{ ...session(id), edits: [edit(id, same), edit(`${id}, again`, same)] }]);
  expect(text().split("the same before each").length - 1).toBe(1);
  await cachedEdits.keep(NAMES, [
    { ...session("one", "2"), edits: [edit("one", "another before\n")] },
    { ...session("two", "2"), edits: [] },
  ]);
  expect((await cachedEdits.of(NAMES))(session("three"))).toEqual([
    edit("three", same),
    edit("three, again", same),
  ]);
  await cachedEdits.keep(NAMES, [{ ...session("three", "2"), edits: [] }]);
  expect(text()).not.toContain("the same before each");
  expect(text()).toContain("another before");
});

it("nothing is there of a file that was damaged", async () => {
  const cachedEdits = cachedEditsIn(dir, "histories");
  await cachedEdits.keep(NAMES, [{ ...session("one"), edits: [edit("a", "before a\n")] }]);
  const file = path.join(dir, readdirSync(dir)[0]!);
  writeFileSync(file, text().replace("before a", "before b"));
  expect((await cachedEdits.of(NAMES))(session("one"))).toBeUndefined();
});
