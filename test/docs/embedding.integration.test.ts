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
  prepareEmbedding,
  recipe,
  stripsPrefix,
} from "../support/embedding.js";
import { HOST_PACKAGES, type HostName, startHost } from "../support/hosts.js";
import { freePort } from "../support/snippets.js";

const FRAMEWORKS: readonly (readonly [host: HostName, recipe: string])[] = [
  ["hono", "hono"],
  ["express-4", "express"],
  ["express-5", "express"],
  ["fastify", "fastify"],
  ["koa", "koa"],
  ["nest", "nest"],
];

/** What the page is below, where the application has a prefix of its own: as the section "Prefixes" says. */
const PREFIXED: readonly (readonly [host: HostName, recipe: string, from: string, to: string])[] = [
  ["hono", "hono", `"/", inspector.app`, `"/tools", new Hono().route("/", inspector.app)`],
  ["express-4", "express", "app.use(", `const sub = express.Router(); app.use("/tools", sub); sub.use(`],
  [
    "express-5",
    "express",
    "access });\napp.use(",
    `access, basePath: "/" });\nconst sub = express(); app.use("/tools", sub); sub.use("/inspect", `,
  ],
  ...(["fastify", "koa", "nest"] as const).map(
    (name) => [name, name, "access })", `access, basePath: "/tools/inspect" })`] as const,
  ),
];

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
  it.each(FRAMEWORKS)("puts the API and the page into an application: %s", async (name, of) => {
    const port = await startHost(folder, name, [recipe(of)]);
    await expectEmbedded(`http://127.0.0.1:${port}/inspect`);
    await expectEmbedded(`http://127.0.0.1:${await stripsPrefix(port)}/tools/inspect`);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("the host");
    expect((await fetch(`http://127.0.0.1:${port}/inspector`)).status).toBe(404);
  });

  it.each(FRAMEWORKS)("says where a guard stands that no spelling passes: %s", async (name, of) => {
    await expectGuarded(await startHost(folder, name, [recipe(`${of}-guard`), recipe(of)]));
  });

  it.each(PREFIXED)("puts it below a prefix of the application's: %s", async (name, of, from, to) => {
    const text = recipe(of);
    expect(text.split(from).length).toBe(2);
    const port = await startHost(folder, name, [text.replace(from, to)]);
    await expectEmbedded(`http://127.0.0.1:${port}/tools/inspect`);
    for (const elsewhere of ["/inspect/", "/tools/", "/tools/api/sessions", "/tools/inspect/inspect/"]) {
      expect([elsewhere, (await fetch(`http://127.0.0.1:${port}${elsewhere}`)).status]).toEqual([
        elsewhere,
        404,
      ]);
    }
  });

  it("has recipes of four lines at most", () => {
    const names = [
      "hono",
      "express",
      "fastify",
      "koa",
      "nest",
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
    await expectEmbedded(`${base}/inspect`);
    expect(await (await fetch(base)).text()).toBe("the host");
    const printed = execFileSync(process.execPath, ["ask.mjs"], { cwd: folder, encoding: "utf8", env });
    expect(printed).toBe("A title 0\nnot_found 404\n");
  });
});
