import path from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";

/** One file, minified and compressed; packages stay imports. */
async function bundle(entry: string) {
  const built = await build({
    root: PROJECT_ROOT,
    configFile: false,
    logLevel: "error",
    build: { ssr: path.join(PROJECT_ROOT, entry), write: false, minify: true, target: "node20" },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const chunks = output.filter((file) => file.type === "chunk");
  return {
    bytes: chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0),
    packages: chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]),
  };
}

describe("what an agent loads to be recorded", () => {
  it("is at most 19 kB compressed, and no package", async () => {
    const { bytes, packages } = await bundle("src/recording.ts");
    expect(bytes).toBeLessThanOrEqual(19_000);
    expect(packages).toEqual([]);
  });

  it("has no package for OpenTelemetry's spans either, not even OpenTelemetry's", async () => {
    expect((await bundle("src/otel.ts")).packages).toEqual([]);
  });

  it.each([
    ["src/ai-sdk.ts", ["node:async_hooks"]],
    ["src/openai-agents.ts", []],
    ["src/mastra.ts", []],
    ["src/langchain.ts", ["@langchain/core/callbacks/base"]],
  ])("is at most 4.4 kB compressed more for a framework, by %s, with %j", async (entry, loaded) => {
    const { bytes, packages } = await bundle(entry);
    expect(bytes).toBeLessThanOrEqual(4_400);
    expect(packages).toEqual(loaded);
  });

  it.each(["src/anthropic.ts", "src/openai.ts"])(
    "is at most 23.1 kB compressed for a vendor's client, and no package, by %s",
    async (entry) => {
      const { bytes, packages } = await bundle(entry);
      expect(bytes).toBeLessThanOrEqual(23_100);
      expect(packages).toEqual([]);
    },
  );

  it("has only Node's own modules for a data directory", async () => {
    const { packages } = await bundle("src/data-directory.ts");
    expect(packages.filter((name) => !name.startsWith("node:"))).toEqual([]);
  });

  it("touches no global", async () => {
    const before = Object.getOwnPropertyNames(globalThis).sort();
    const inspector = Symbol.for("opentelemetry.js.api.1");
    const api = Object.getOwnPropertyDescriptor(globalThis, inspector)?.value;
    await import("../../src/otel.js");
    const { RunRecorder } = await import("../../src/recording.js");
    new RunRecorder({} as never);
    expect(Object.getOwnPropertyNames(globalThis).sort()).toEqual(before);
    expect(Object.getOwnPropertyDescriptor(globalThis, inspector)?.value).toBe(api);
  });
});
