import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { createAgentApp } from "../../src/index.js";
import { createInspectorUi, createRemoteInspectorUi } from "../../src/ui.js";
import { temporaryFolder } from "../support/data-directory.js";
import { requestRaw, serveApp } from "../support/real-server.js";

/** Names that a browser could take for a scheme or another host. */
const FOREIGN = [
  "https:evil.example",
  "HTTPS:evil.example",
  "https:%2f%2fevil.example",
  "https:\\\\evil.example",
  "http:evil.example",
  "javascript:alert(1)",
  "data:text,x",
  "%68ttps:evil.example",
  "https%3aevil.example",
  "/evil.example",
  "//evil.example",
  "\\evil.example",
  "\\\\evil.example",
  "%5cevil.example",
  "%5c%5cevil.example",
  "%5C%2fevil.example",
  "%2fevil.example",
  "%2f%2fevil.example",
  "%252f%252fevil.example",
  ".//evil.example",
  "..//evil.example",
  "x/..//evil.example",
  "%2e%2e//evil.example",
  "%20https:evil.example",
  "%09//evil.example",
  "@evil.example",
  "?https:evil.example",
  "https:evil.example?x=//evil.example",
];

describe.each(["", "/deep/down"])('The page at "%s", on a real server', (mount) => {
  const serve = () => serveApp(new Hono().route(mount === "" ? "/" : mount, createInspectorUi()));

  it.each(FOREIGN)("never sends a browser away: /%s", async (name) => {
    const port = await serve();
    const asked = `${mount}/${name}`;
    const { status, headers } = await requestRaw(port, asked);
    expect([200, 302, 400, 404]).toContain(status);
    const origin = `http://127.0.0.1:${port}`;
    const location = new URL(headers.get("Location") ?? "", origin + asked);
    expect(location.origin).toBe(origin);
  });

  it.each(["%00x", "x%00", "%00/", "a/%0d%0aSet-Cookie:%20a=b", "%7f", "%1F/assets/page.js"])(
    "has nothing under a name with a control character: /%s",
    async (name) => {
      const { status, headers } = await requestRaw(await serve(), `${mount}/${name}`);
      expect([status, headers.get("Location"), headers.get("Set-Cookie")]).toEqual([404, null, null]);
    },
  );
});

it("The page adds the slash that is missing, and keeps how the name is encoded and the query", async () => {
  const port = await serveApp(new Hono().route("/deep/café", createInspectorUi()));
  const { status, headers } = await requestRaw(port, "/deep/caf%C3%A9?a=%2F");
  expect([status, headers.get("Location")]).toEqual([302, "./caf%C3%A9/?a=%2F"]);
});

describe("The page", () => {
  it("is told of the API of its application relative to itself, unless it is told of another", async () => {
    const apiOf = async (host: Hono, path: string) => {
      const html = await (await host.request(path)).text();
      return /<meta name="inspector-api" content="([^"]*)"/.exec(html)?.[1];
    };
    const under = (mount: string, apiUrl?: string) =>
      new Hono().route(mount, createInspectorUi(apiUrl === undefined ? {} : { apiUrl }));
    expect(await apiOf(under("/"), "/")).toBe("./__inspector");
    expect(await apiOf(under("/inspect"), "/inspect/")).toBe("../__inspector");
    expect(await apiOf(under("/a/b"), "/a/b/")).toBe("../__inspector ../../__inspector");
    for (const [outer, inner, api] of [
      ["/", "/inspect", "../__inspector"],
      ["/tools", "/inspect", "../__inspector"],
      ["/tools/agent", "/", "./__inspector"],
      ["/:tenant", "/a/b", "../../__inspector"],
    ] as const) {
      const agent = createAgentApp({ inspector: createInMemoryInspectorDataSource() });
      agent.route(inner, createInspectorUi());
      const host = new Hono().route(outer, agent);
      const path = `${outer}/${inner}/`.replaceAll(/\/+/g, "/");
      expect([path, await apiOf(host, path)]).toEqual([path, api]);
      const address = new URL(`${api}/health`, `http://h${path}`);
      expect((await host.request(address.pathname)).status).toBe(200);
    }
    for (const apiUrl of ["./api", "../x", "/__inspector"]) {
      expect(await apiOf(under("/a", apiUrl), "/a/")).toBe(apiUrl);
    }
  });

  it("is told of the views that it offers, whatever their names are, and of none whose filter is none", async () => {
    const views = [{ name: `"Dear" <ones>`, filter: "cost:>1", sort: "-cost", group: "project" }] as const;
    const html = await (await createInspectorUi({ views }).request("/")).text();
    const [, content = ""] = /<meta name="inspector-views" content="([^"]*)"/.exec(html) ?? [];
    const read = content.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    expect(JSON.parse(read)).toEqual(views);
    for (const [view, message] of [
      [{ name: "a", filter: "cots:>1" }, "`views[0].filter` must be a filter of sessions"],
      [{ name: "", filter: "" }, "`views[0].name` must be a text with something in it"],
      [
        { name: "a", filter: "", sorted: "cost" },
        "`views[0]`: Unknown option 'sorted'. Did you mean 'sort'?",
      ],
      [{ name: "a", filter: "", group: "week" }, '`views[0].group` must be "project" or "day"'],
    ] as const) {
      expect(() => createInspectorUi({ views: [view as never] })).toThrow(message);
    }
  });

  it("is at its mount alone", async () => {
    const app = new Hono().route("/deep/down", createInspectorUi());
    for (const path of [
      "/deep/down/x",
      "/deep/down/x/",
      "/deep/d%6fwn/",
      "/deep/down/x/assets/y.js",
      "/deep/",
      "/deep//down/",
      "/deep/down/down/",
      "/deep/down/deep/down",
    ]) {
      expect([path, (await app.request(path)).status]).toEqual([path, 404]);
    }
    expect((await createInspectorUi().request("/x/")).status).toBe(404);
  });
});

describe("The page with its files in a folder that is named", () => {
  it("is served from there", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "assets"));
    await writeFile(path.join(folder, "index.html"), '<script src="./assets/own.js">');
    await writeFile(path.join(folder, "assets/own.js"), "own()");
    const ui = createInspectorUi({ assets: path.relative(process.cwd(), folder) });
    expect(await (await ui.request("/")).text()).toContain("own.js");
    expect(await (await ui.request("/assets/own.js")).text()).toBe("own()");
  });

  it("says what to configure where there are none, without a path of the machine, and serves them once they are there", async () => {
    const folder = await temporaryFolder();
    for (const create of [
      createInspectorUi,
      (options: object) => createRemoteInspectorUi("http://127.0.0.1:1", options),
    ]) {
      const assets = path.join(folder, "ui");
      const ui = create({ assets });
      const missing = await ui.request("/");
      expect([missing.status, missing.headers.get("cache-control")]).toEqual([500, "no-store"]);
      expect(await missing.text()).toMatch(/^(?!.*\/tmp).*createInspectorUi\(\{ assets \}\)/);
      expect((await ui.request("/assets/own.js")).status).toBe(404);
      await mkdir(assets);
      await writeFile(path.join(assets, "index.html"), "there");
      expect(await (await ui.request("/")).text()).toBe("there");
      await rm(assets, { recursive: true });
    }
  });
});
