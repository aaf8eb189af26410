import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

describe("what a browser loads before it shows anything", () => {
  it("is at most 120 kB of JavaScript", () => {
    const built = path.resolve(import.meta.dirname, "../../dist/ui");
    const page = readFileSync(path.join(built, "index.html"), "utf8");
    const files = readdirSync(path.join(built, "assets")).filter((name) => name.endsWith(".js"));
    const first = files.filter((name) => page.includes(name) || name.startsWith("engine-worker"));
    expect(first.length).toBeGreaterThan(2);
    const bytes = first.map((name) => gzipSync(readFileSync(path.join(built, "assets", name))).length);
    expect(bytes.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(120_000);
  });
});
