import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { basicAuth } from "hono/basic-auth";
import { describe, expect, it } from "vitest";
import { createInspectorRoute } from "../../src/advanced.js";
import { mountInspector } from "../../src/index.js";
import { createInspectorUi, createRemoteInspectorUi } from "../../src/ui.js";
import { describeInBrowser, open, page } from "./browser/browser.js";
import { button, failedRow } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveHistories, serving, TestServer } from "./fixtures/serve-app.js";

const UI = path.resolve(import.meta.dirname, "..");
const BUILT = path.resolve(UI, "../dist/ui");
const NGINX = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((file) => existsSync(file));

describe("the page under a path of the embedder's", () => {
  const app = new Hono();
  app.route("/deep/down", createInspectorUi({ apiUrl: 'https://api.example/x"y' }));

  it("redirects to the slash that its relative addresses need, and keeps the query", async () => {
    const answer = await app.request("/deep/down?a=1");
    expect(answer.status).toBe(302);
    expect(new URL(answer.headers.get("location")!, "http://h/deep/down").href).toBe(
      "http://h/deep/down/?a=1",
    );
  });

  it("is never cached, and says what it may do", async () => {
    const answer = await app.request("/deep/down/");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toContain("script-src 'self';");
    expect(answer.headers.get("content-security-policy")).toContain(
      "connect-src 'self' https://api.example;",
    );
    expect(await answer.text()).toContain('content="https://api.example/x&#34;y"');
  });

  it("has assets that are kept for ever, and nothing outside of them", async () => {
    const page = await (await app.request("/deep/down/")).text();
    const script = /href="\.\/(assets\/page-[^"]+\.js)"/.exec(page)![1]!;
    const asset = await app.request(`/deep/down/${script}`);
    expect(asset.headers.get("cache-control")).toContain("immutable");
    expect(asset.headers.get("content-type")).toContain("javascript");
    for (const name of ["assets/nothing.js", "assets/..%2findex.html", "assets/../../package.json"]) {
      expect((await app.request(`/deep/down/${name}`)).headers.get("cache-control") ?? "").not.toContain(
        "immutable",
      );
    }
    expect((await app.request("/deep/down/assets/nothing.js")).status).toBe(404);
  });

  it.each([
    ["gzip, deflate, br, zstd", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["gzip;q=0, br", null],
    ["gzip; q=0.0", null],
    ["br", null],
    ["", null],
  ])(
    "compresses its files for %s where Node.js writes them, and never through fetch",
    async (accepted, encoding) => {
      const script = /assets\/page-[^"]+\.js/.exec(await (await app.request("/deep/down/")).text())![0];
      const bytes = readFileSync(path.join(BUILT, script));
      const headers = { "Accept-Encoding": accepted };
      const fetched = await app.request(`/deep/down/${script}`, { headers });
      expect([fetched.headers.get("content-encoding"), fetched.headers.get("vary")]).toEqual([null, null]);
      const plain = Buffer.from(await fetched.arrayBuffer());
      expect(bytes.equals(plain)).toBe(true);
      const written = await app.request(
        `/deep/down/${script}`,
        { headers },
        { outgoing: { writeHead() {} } },
      );
      expect([written.headers.get("content-encoding"), written.headers.get("vary")]).toEqual([
        encoding,
        "Accept-Encoding",
      ]);
      const body = Buffer.from(await written.arrayBuffer());
      expect(bytes.equals(encoding === "gzip" ? gunzipSync(body) : body)).toBe(true);
    },
  );

  it("only answers to reading", async () => {
    expect((await app.request("/deep/down/", { method: "POST" })).status).toBe(405);
  });
});

describe("the proxy", () => {
  it("refuses what is no URL", () => {
    for (const text of ["", "localhost:3000", "ftp://x", "javascript:1"]) {
      expect(() => createRemoteInspectorUi(text)).toThrow(/http or https URL/);
    }
  });

  it("says 502 where nobody answers, and passes nothing on but reading", async () => {
    const app = createRemoteInspectorUi("http://127.0.0.1:9");
    const answer = await app.request("/__inspector/health");
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ status: 502 });
    expect((await app.request("/__inspector/health", { method: "DELETE" })).status).toBe(405);
  });
});

describe("the container's start", () => {
  const start = (agentUrl: string | undefined) =>
    spawnSync("sh", [path.join(UI, "docker-entrypoint.sh"), "true"], {
      env: { PATH: process.env.PATH ?? "", ...(agentUrl === undefined ? {} : { AGENT_URL: agentUrl }) },
      encoding: "utf8",
    });

  it("says what is missing, and ends with an error", () => {
    expect(start(undefined)).toMatchObject({
      status: 64,
      stderr: expect.stringContaining("AGENT_URL is not set"),
    });
  });

  it("does not repeat credentials", () => {
    const { status, stderr } = start("http://ada:hunter2@agent:3000");
    expect(status).toBe(64);
    expect(stderr).not.toMatch(/hunter2/);
  });

  it("takes nothing for a URL that could be more than one", () => {
    for (const text of [
      "agent:3000",
      "http://a b",
      "http://a; return 200",
      "http://a\nb",
      "http://$x",
      "file:///etc",
    ]) {
      expect(start(text)).toMatchObject({
        status: 64,
        stderr: expect.stringContaining("is no http or https URL"),
      });
    }
  });
});

describeInBrowser("each way of serving", () => {
  const agent = serveHistories([checkoutSession()], "/tools/inspect");
  const alone = serving(new TestServer(() => createRemoteInspectorUi(agent.address)));
  const guarded = serving(
    new TestServer(() => {
      const app = new Hono();
      app.use("*", basicAuth({ username: "ada", password: "hunter2" }));
      app.route("/__inspector", createInspectorRoute(agent.source));
      return app;
    }),
  );
  const beforeGuarded = serving(new TestServer(() => createRemoteInspectorUi(guarded.address)));

  const behindPrefix = serving(
    new TestServer(() => new Hono().mount("/tools", mountInspector({ source: agent.source }).fetch)),
  );

  const inSubApp = serving(
    new TestServer(() => {
      const tools = new Hono();
      tools.route("/__inspector", createInspectorRoute(agent.source));
      tools.route("/inspect", createInspectorUi());
      // The other application answers every path, as single-page applications do.
      return new Hono().route("/tools", tools).get("*", (c) => c.html("<p>Another application"));
    }),
  );
  /** Like a proxy that strips `/x/`. */
  const behindProxy = serving(
    new TestServer(() =>
      new Hono()
        .all("/x/*", (c) => {
          const { pathname, search } = new URL(c.req.url);
          const inside = `${agent.address}${pathname.slice("/x".length)}${search}`;
          return fetch(inside, { headers: { "Accept-Encoding": "identity" } });
        })
        .all("*", (c) => c.text("Not here", 404)),
    ),
  );

  const works = async (address: string) => {
    await open(`${address}#/s/shop/checkout/trace`);
    await failedRow().waitFor();
    await page.keyboard.press("2");
    await page.getByRole("treegrid", { name: "Agents" }).waitFor();
    await button("Graph").click();
    await page.locator(".react-flow__node").first().waitFor();
  };

  it("mounted by an embedder under a path", async () => {
    await works(`${agent.address}/tools/inspect`);
  });

  it("with the API in an application inside of another", async () => {
    await works(`${inSubApp.address}/tools/inspect`);
  });

  it("behind a proxy that cuts a prefix off", async () => {
    await works(`${behindProxy.address}/x/tools/inspect/`);
  });

  it("with the API by mountInspector, behind a prefix that is cut off", async () => {
    await works(`${behindPrefix.address}/tools/inspect`);
  });

  it("alone, with a proxy to the application", async () => {
    await works(`${alone.address}/`);
    const address = `${alone.address}/__inspector/sessions/checkout/trace?tenantId=shop`;
    const unchanged = await fetch(address);
    const again = await fetch(address, { headers: { "If-None-Match": unchanged.headers.get("etag")! } });
    expect(again.status).toBe(304);
  });

  it("alone, with a proxy to an application for which the browser asks its user", async () => {
    const context = { httpCredentials: { username: "ada", password: "hunter2" } };
    await beforeGuarded.open("#/s/shop/checkout/trace", { context });
    await failedRow().waitFor();
  });

  if (NGINX === undefined) {
    process.stderr.write("\n!!! NO NGINX: the container's configuration WAS NOT TESTED. Install nginx.\n\n");
  }
  it.skipIf(NGINX === undefined)(
    "in the container's nginx, with the container's own configuration",
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), "inspector-nginx-"));
      const port = await freePort();
      const conf = path.join(folder, "site.conf");
      execFileSync("sh", [path.join(UI, "docker-entrypoint.sh"), "true"], {
        env: {
          PATH: process.env.PATH ?? "",
          AGENT_URL: `${agent.address}/`,
          LISTEN: `127.0.0.1:${port}`,
          UI_ROOT: BUILT,
          NGINX_TEMPLATE: path.join(UI, "nginx.conf.template"),
          NGINX_CONF: conf,
        },
      });
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (n) => `${n}_temp_path ${folder}/${n};`,
      );
      writeFileSync(
        path.join(folder, "nginx.conf"),
        `daemon off; pid ${folder}/pid; error_log stderr; events {} http { include /etc/nginx/mime.types; access_log off; ${temporary.join(" ")} include ${conf}; }`,
      );
      const nginx = spawn(NGINX!, ["-c", path.join(folder, "nginx.conf"), "-e", "stderr"], {
        stdio: "inherit",
      });
      const address = `http://127.0.0.1:${port}`;
      try {
        await expect
          .poll(
            () =>
              fetch(address).then(
                (answer) => answer.status,
                () => 0,
              ),
            { timeout: 15_000 },
          )
          .toBe(200);
        await works(`${address}/`);
        expect((await fetch(`${address}/any/depth`)).status).toBe(404);
        const page = await fetch(`${address}/`);
        expect(page.headers.get("cache-control")).toBe("no-store");
        expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
        const script = /href="\.\/(assets\/page-[^"]+\.js)"/.exec(await page.text())![1]!;
        const asset = await fetch(`${address}/${script}`);
        expect(asset.headers.get("cache-control")).toContain("immutable");
        expect(asset.headers.get("content-encoding")).toBe("gzip");
        expect((await fetch(`${address}/assets/none.js`)).status).toBe(404);
        const api = await fetch(`${address}/__inspector/health`);
        expect(api.headers.get("cache-control")).toBe("no-cache, private");
        expect(api.headers.get("content-security-policy")).toContain("sandbox");
        expect(api.headers.get("x-content-type-options")).toBe("nosniff");
        expect((await fetch(`${address}/__inspector/health`, { method: "POST" })).status).toBe(405);
      } finally {
        nginx.kill();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
