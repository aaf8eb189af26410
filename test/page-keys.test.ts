import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { SESSION_TABS } from "../ui/src/model/address/address.js";
import { STRINGS } from "../ui/src/strings/strings.js";

const UI = path.resolve(import.meta.dirname, "../ui/src");

/** Keys that do the same as a listed one; the list need not name them. */
const SAME: Readonly<Record<string, string>> = {
  "=": "+",
  ArrowLeft: "h",
  ArrowRight: "l",
  ArrowUp: "k",
  ArrowDown: "j",
  Escape: "Esc",
};

function usedKeys(): Set<string> {
  const used = new Set<string>();
  for (const name of readdirSync(UI, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name) || name.includes(".test.")) continue;
    const text = readFileSync(path.join(UI, name), "utf8");
    for (const [call] of text.matchAll(/useKeys\(\{[\s\S]*?\}\);/g)) {
      const body = call.replace(/^useKeys\(/, "");
      for (const [, quoted, plain] of body.matchAll(/(?:^|[{,])\s*(?:"([^"]+)"|(\w+)):/gm)) {
        const key = quoted ?? plain!;
        // Members of other objects begin with a small letter, and names of keys with a capital.
        if (/^(.|[A-Z]\w+)$/.test(key)) used.add(key);
      }
    }
  }
  return used;
}

it("the keys that a page has are all in its list of keys", () => {
  const listed = new Set(STRINGS.keys.rows.flatMap(([keys]) => keys.split("  ")));
  listed.delete("1 … 5");
  for (const index of SESSION_TABS.keys()) listed.add(String(index + 1));
  const used = usedKeys();
  expect(used.size).toBeGreaterThan(20);
  expect([...used].filter((key) => !listed.has(SAME[key] ?? key))).toEqual([]);
});

it("the list of keys counts the views of a session", () => {
  expect(STRINGS.keys.rows.map(([keys]) => keys)).toContain(`1 … ${SESSION_TABS.length}`);
});
