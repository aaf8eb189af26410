import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";

const { version, exports } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8")) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
};

const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, args, { cwd: PROJECT_ROOT, encoding: "utf8" });

describe("the built package", () => {
  it("has entry points that can be imported by their names, and a command that starts", () => {
    // The contract suites are for inside a test run, where `describe` exists.
    const entries = Object.keys(exports).filter((entry) => !/\.(json|yaml)$|testing/.test(entry));
    const names = entries.map((entry) => path.posix.join("agent-inspector", entry));
    const script = `
      for (const name of ${JSON.stringify(names)}) {
        const { length } = Object.keys(await import(name));
        if (length === 0) throw new Error(name);
      }`;
    run("--input-type=module", "-e", script);
    const main = path.join(PROJECT_ROOT, "dist/src/composition/main.js");
    expect(run(main, "--version").trim()).toBe(version);
  });

  it("has a client that a browser can load: no package, and nothing of Node.js", () => {
    const seen = new Set<string>();
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(file, "utf8");
      for (const [, specifier = ""] of text.matchAll(/^(?:import|export)[^"]*from "([^"]+)"/gm)) {
        expect(specifier).toMatch(/^\./);
        visit(path.resolve(path.dirname(file), specifier));
      }
    };
    visit(path.join(PROJECT_ROOT, "dist/src/client.js"));
    const bytes = [...seen].reduce((sum, file) => sum + readFileSync(file).length, 0);
    expect(seen.size).toBeGreaterThan(3);
    expect(bytes).toBeLessThan(24_000);
  });
});
