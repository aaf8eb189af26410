import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { InspectorDataSource } from "../../src/index.js";
import {
  expectEmbedded,
  expectGuarded,
  expectPrefixed,
  expectRecords,
  prepareEmbedding,
  recipe,
} from "../support/embedding.js";
import { cellTests, EVERY_RUN, startEveryRun } from "../support/frameworks.js";
import { HOST_PACKAGES } from "../support/hosts.js";
import { freePort } from "../support/snippets.js";

// One for all, because each has a thread that reads histories.
const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-"));
await prepareEmbedding(folder, HOST_PACKAGES, "server.cjs", "ask.mjs");
const { source } = (await import(pathToFileURL(path.join(folder, "histories.mjs")).href)) as {
  readonly source: InspectorDataSource;
};
afterAll(async () => {
  await source.close?.();
  await rm(folder, { recursive: true });
});

describe("docs/embedding.md", () => {
  cellTests(Object.keys(EVERY_RUN), "records", async (name) => {
    await expectRecords(await startEveryRun(folder, name, "open"));
  });

  cellTests(Object.keys(EVERY_RUN), "prefix", async (name) => {
    const [prefixed, open] = [
      await startEveryRun(folder, name, "prefixed"),
      await startEveryRun(folder, name, "open"),
    ];
    await expectPrefixed(prefixed, open);
  });

  cellTests(Object.keys(EVERY_RUN), "guard", async (name) => {
    await expectGuarded(await startEveryRun(folder, name, "guarded"), { resolves: false, page: 401 });
    await expectGuarded(await startEveryRun(folder, name, "access"), { resolves: false, page: 200 });
  });

  it("has recipes of four lines at most", () => {
    const names = [
      "hono",
      "express",
      "fastify",
      "koa",
      "nest",
      "node",
      "next.js",
      "sveltekit.js",
      "nuxt.js",
      "bun",
      "deno",
    ];
    for (const name of names) expect([name, recipe(name).trim().split("\n").length]).toEqual([name, 4]);
  });

  it("puts it into a server of CommonJS, and asks that with the client", async () => {
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), NODE_OPTIONS: "" };
    const host = spawn(process.execPath, ["server.cjs"], {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(() => void host.kill());
    const base = `http://127.0.0.1:${port}`;
    await vi.waitFor(() => fetch(base), { timeout: 30_000, interval: 50 });
    await expectEmbedded(base, { path: "/inspect" });
    expect(await (await fetch(base)).text()).toBe("the host");
    const printed = execFileSync(process.execPath, ["ask.mjs"], { cwd: folder, encoding: "utf8", env });
    expect(printed).toMatch(/^A title 0\nnot_found 404\n$/m);
  });
});
