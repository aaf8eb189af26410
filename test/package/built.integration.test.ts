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

function modulesOf(entry: string): {
  readonly texts: ReadonlyMap<string, string>;
  readonly packages: readonly string[];
} {
  const texts = new Map<string, string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (texts.has(file)) return;
    const text = readFileSync(file, "utf8");
    texts.set(file, text);
    for (const [, from, imported, later] of text.matchAll(IMPORTS)) {
      const specifier = from ?? imported ?? later ?? "";
      if (specifier.startsWith(".")) visit(path.resolve(path.dirname(file), specifier));
      else packages.add(specifier);
    }
  };
  visit(path.join(PROJECT_ROOT, "dist/src", entry));
  return { texts, packages: [...packages].sort() };
}

/** Calls that browsers lack. A member access on `globalThis` may be missing, so it is allowed. */
const NODE_GLOBALS = /(?<![\w.])(?:Buffer|process|global|__dirname|__filename|require|setImmediate)[.(]/;
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

const IMPORTS = /^(?:import|export)[^"]*from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

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
    const { texts, packages } = modulesOf("client.js");
    expect(packages).toEqual([]);
    expect(texts.size).toBeGreaterThan(3);
    expect([...texts.values()].join("").length).toBeLessThan(26_000);
  });

  it("has an entry point for the edge that loads nothing of Node.js, no threads and no files", () => {
    const { texts, packages } = modulesOf("edge.js");
    expect(texts.size).toBeGreaterThan(50);
    expect(packages).toEqual([
      "@pydantic/genai-prices",
      "diff",
      "hono",
      "lru-cache",
      "p-limit",
      "re2js",
      "reflect-metadata",
      "tsyringe",
    ]);
  });

  it("uses no global of Node.js at the edge but where it does without it", () => {
    const { texts } = modulesOf("edge.js");
    const using = [...texts].filter(([, text]) => NODE_GLOBALS.test(text.replace(COMMENTS, "")));
    expect(using.map(([file]) => path.relative(PROJECT_ROOT, file)).sort()).toEqual([
      "dist/src/application/threads/slices.js",
      "dist/src/domain/trace/find-bytes.js",
    ]);
  });
});
