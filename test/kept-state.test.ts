import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { moduleStateOf } from "./support/module-state.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Rows of the table of `docs/reading.md`: `name` of `folder/file.ts`, from `src`. */
const NAMED = /`(\w+)` of `([\w./-]+\.ts)`/g;

describe("What modules keep between calls", () => {
  it("is in the table of docs/reading.md, and nothing is in it that is not kept", () => {
    const names = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" });
    const kept = names
      .map((name) => name.split(path.sep).join("/"))
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.endsWith("/proto.d.ts"))
      .flatMap((file) =>
        moduleStateOf(file, readFileSync(path.join(ROOT, "src", file), "utf8")).map(
          (name) => `${name} of ${file}`,
        ),
      );
    const document = readFileSync(path.join(ROOT, "docs/reading.md"), "utf8");
    const named = [...document.matchAll(NAMED)].map(([, name, file]) => `${name} of ${file}`);
    expect(kept.length).toBeGreaterThan(10);
    expect(named.sort()).toEqual(kept.sort());
  });
});

describe("The check of what modules keep", () => {
  it.each([
    ["let last = 0;", ["last"]],
    ["export let last: string | undefined;", ["last"]],
    ["const known = new LRUCache({ max: 2 });", ["known"]],
    ["const known = new Map(); export const add = (key) => known.set(key, 1);", ["known"]],
    ["const list: string[] = []; export function add(one) { list.push(one); }", ["list"]],
    ["const byName = {}; export function add(name) { byName[name] = 1; }", ["byName"]],
    ["const known = new Map([[1, 2]]); export const get = (key) => known.get(key);", []],
    ["export function sum() { let sum = 0; const all = new Map(); all.set(1, 1); return sum; }", []],
    ["const NAMES = new Set(['a']);", []],
  ])("finds in %s: %j", (text, names) => {
    expect(moduleStateOf("a.ts", text)).toEqual(names);
  });
});
