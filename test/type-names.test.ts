import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const EXPORTED = /^export (?:abstract )?(?:interface|type|class|enum)\s+(\w+)/gm;

it("no two exported types have one name, in the service and in the page", () => {
  const files = new Map<string, string[]>();
  for (const folder of ["src", "ui/src"]) {
    for (const name of readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(name) || /\.test\./.test(name)) continue;
      const text = readFileSync(path.join(ROOT, folder, name), "utf8");
      for (const [, type = ""] of text.matchAll(EXPORTED)) {
        files.set(type, [...(files.get(type) ?? []), `${folder}/${name}`]);
      }
    }
  }
  expect(files.size).toBeGreaterThan(500);
  expect([...files].filter(([, places]) => places.length > 1)).toEqual([]);
});
