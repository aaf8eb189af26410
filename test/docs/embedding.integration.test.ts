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
  expectSameBytes,
  prepareEmbedding,
  recipe,
} from "../support/embedding.js";
import { cellTests, EVERY_RUN, replaceOnce, startEveryRun } from "../support/frameworks.js";
import { HOST_PACKAGES, type HostName, startHost } from "../support/hosts.js";
import { freePort } from "../support/snippets.js";

// One for all tests, because each has a thread that reads histories.
const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-"));
await prepareEmbedding(folder, HOST_PACKAGES, "server.cjs", "ask.mjs");
const { source } = (await import(pathToFileURL(path.join(folder, "histories.mjs")).href)) as {
  readonly source: InspectorDataSource;
};
afterAll(async () => {
  await source.close?.();
  await rm(folder, { recursive: true });
});

const USER = `({ ada: { tenants: ["acme"] }, eve: { tenants: ["globex"] } })`;
const STORES_IN_REQUEST = `app.use((request, response, next) => { request.user = ${USER}[request.headers["x-user"]]; next(); });`;
const SIGN_INS: Readonly<Partial<Record<HostName, readonly string[]>>> = {
  "express-4": [STORES_IN_REQUEST],
  "express-5": [STORES_IN_REQUEST],
  nest: [STORES_IN_REQUEST],
  fastify: [
    `app.addHook("onRequest", async (request) => { request.user = ${USER}[request.headers["x-user"]]; });`,
    recipe("fastify-user"),
  ],
  koa: [
    `app.use((ctx, next) => { ctx.state.user = ${USER}[ctx.headers["x-user"]]; return next(); });`,
    recipe("koa-user"),
  ],
  hono: [`app.use((c, next) => { c.set("user", ${USER}[c.req.header("x-user")]); return next(); });`],
};

describe("docs/embedding.md", () => {
  cellTests(Object.keys(EVERY_RUN), "records", async (name) => {
    const mounted = await startEveryRun(folder, name, "open");
    await expectRecords(mounted);
    await expectSameBytes(mounted);
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

  it.each(Object.keys(SIGN_INS) as HostName[])(
    "shows a user the sessions of their tenants, by access: %s",
    async (host) => {
      const userAccess = recipe("user-access");
      const access =
        host === "hono"
          ? replaceOnce(userAccess, "const { user } = c.env.incoming;", `const user = c.get("user");`)
          : userAccess;
      const mount = replaceOnce(
        recipe(host.replace(/-.*/, "")),
        "{ access, source } from",
        "{ source } from",
      );
      const code = [`import { chat } from "./chat.mjs";`, ...SIGN_INS[host]!, access, mount];
      const address = `http://127.0.0.1:${await startHost(folder, host, code)}/inspect/api/sessions`;
      const titlesFor = async (user: string) => {
        const answer = await fetch(address, { headers: { "X-User": user } });
        return answer.ok ? JSON.stringify(await answer.json()).includes("A title") : answer.status;
      };
      expect([await titlesFor("ada"), await titlesFor("eve"), await titlesFor("nobody")]).toEqual([
        true,
        false,
        401,
      ]);
    },
  );

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
