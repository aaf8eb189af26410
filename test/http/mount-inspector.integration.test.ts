import { writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  createInMemoryInspectorDataSource,
  createInspectorContainer,
  InProcessPool,
} from "../../src/advanced.js";
import { type MountInspectorOptions, mountInspector } from "../../src/index.js";
import { temporaryFolder } from "../support/data-directory.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { requestRaw, serveListener } from "../support/real-server.js";
import { startedThreads } from "../support/started-threads.js";

const source = createInMemoryInspectorDataSource([{ sessionId: "s1", title: "A title" }]);
const GLOBALS = { Request: globalThis.Request, Response: globalThis.Response };
const mount = (options: Partial<MountInspectorOptions> = {}) => mountInspector({ source, ...options });

/** A host's change of `url` before the inspector: Express and connect store the original in `originalUrl`. */
type Cut = (url: string) => { readonly url: string; readonly originalUrl?: string };

const serve = (cut: Cut, options?: Partial<MountInspectorOptions>) => {
  const { listener } = mount(options);
  return serveListener((request, response) => {
    listener(Object.assign(request, cut(request.url ?? "")), response, () => response.writeHead(418).end());
  });
};

const keep: Cut = (url) => ({ url });
const cutOff =
  (prefix: string): Cut =>
  (originalUrl) => {
    const rest = originalUrl.startsWith(prefix) ? originalUrl.slice(prefix.length) : originalUrl;
    return { url: rest.startsWith("/") ? rest : `/${rest}`, originalUrl };
  };

describe("mountInspector", () => {
  it.each<
    [name: string, cut: Cut, options: Partial<MountInspectorOptions>, mount: string, elsewhere: string[]]
  >([
    ["at its path", keep, {}, "/inspect", ["/", "/inspector", "/Inspect/", "/api/sessions", "/x/inspect/"]],
    ["where the host cut a prefix off", cutOff("/a"), {}, "/a/inspect", ["/", "/a/", "/a/api/sessions"]],
    ["where the host cut its path off", cutOff("/inspect"), { basePath: "/" }, "/inspect", []],
    ["where the host cut another path off", cutOff("/a/b"), { basePath: "/" }, "/a/b", []],
    ["at another path", keep, { basePath: "/a/b.c" }, "/a/b.c", ["/", "/a/", "/inspect/", "/a/bxc/"]],
    ["with a slash at the end", keep, { basePath: "/a/" }, "/a", ["/", "/inspect/"]],
  ])("answers %s, and leaves what is elsewhere to the host", async (_, cut, options, at, elsewhere) => {
    const port = await serve(cut, options);
    const statuses = async (paths: string[]) => {
      const answers = await Promise.all(paths.map((path) => requestRaw(port, path)));
      return answers.map(({ status }, i) => [paths[i], status]);
    };
    const own = [
      [`${at}/`, 200],
      [`${at}/?x`, 200],
      [`${at}/api/sessions`, 200],
      [`${at}/api`, 404],
      [`${at}/x/`, 404],
    ];
    expect(await statuses(own.map(([path]) => String(path)))).toEqual(own);
    expect(await statuses(elsewhere)).toEqual(elsewhere.map((path) => [path, 418]));
    const name = at.slice(at.lastIndexOf("/") + 1);
    for (const query of ["", "?a=%2F/"]) {
      const { status, headers } = await requestRaw(port, at + query);
      expect([status, headers.get("location")]).toEqual([302, `./${name}/${query}`]);
    }
  });

  it("does not guess what the host cut off: it could be the text of a parameter", async () => {
    const port = await serve(cutOff("/inspect"));
    for (const path of ["/inspect/api/sessions", "/inspect/x/", "/api/sessions", "/"]) {
      expect([path, (await requestRaw(port, path)).status]).toEqual([path, 418]);
    }
    for (const path of ["/inspect", "/inspect/", "/inspect?x"]) {
      const { status, body } = await requestRaw(port, path);
      expect([path, status, body]).toEqual([
        path,
        404,
        expect.stringContaining('Mount it with basePath "/"'),
      ]);
    }
  });

  it("answers everything at /", async () => {
    const port = await serve(keep, { basePath: "/" });
    for (const [path, status] of [
      ["/", 200],
      ["/api/sessions", 200],
      ["/x/../api/sessions", 418],
      ["/inspect", 404],
    ]) {
      expect([path, (await requestRaw(port, String(path))).status]).toEqual([path, status]);
    }
  });

  it("answers what it does not know with 404 where nobody is next", async () => {
    const { listener, fetch } = mount();
    const port = await serveListener((request, response) => void listener(request, response));
    for (const path of ["/", "/other", "/%69nspect/api/sessions", "/x/../inspect/", "/inspect/x"]) {
      expect([path, (await requestRaw(port, path)).status]).toEqual([path, 404]);
      if (!path.includes("..")) expect((await fetch(new Request(`http://h${path}`))).status).toBe(404);
    }
    expect((await fetch(new Request("http://h/inspect/api/health"))).status).toBe(200);
  });

  it("gives on what the next one returns, and says when the answer was written", async () => {
    const { listener } = mount();
    const next = async () => "of the host";
    expect(await listener({ url: "/x" } as IncomingMessage, {} as ServerResponse, next)).toBe("of the host");
    const ended: boolean[] = [];
    const port = await serveListener(async (request, response) => {
      await listener(request, response, next);
      ended.push(response.writableEnded);
    });
    for (const path of ["", "/", "/api/sessions", "/api/sessions/s1/trace", "/api/nothing"]) {
      await requestRaw(port, `/inspect${path}`);
    }
    await expect.poll(() => ended).toEqual([true, true, true, true, true]);
  });

  it("leaves the globals of its host what they are", async () => {
    await requestRaw(await serve(keep), "/inspect/api/health");
    expect(globalThis.Request).toBe(GLOBALS.Request);
    expect(globalThis.Response).toBe(GLOBALS.Response);
  });

  it("asks access, tells onError, and takes its options as the route does", async () => {
    const failures: unknown[] = [];
    const failing = handMadeSource({ listSessions: () => Promise.reject(new Error("no disk")) });
    const { fetch } = mount({
      source: failing,
      access: (c) => (c.req.header("Authorization") ? { tenants: "all" } : c.text("Who are you?", 401)),
      onError: (error, { path }) => failures.push([path, String(error)]),
    });
    const ask = (headers = {}) => fetch(new Request("http://h/inspect/api/sessions", { headers }));
    expect([(await ask()).status, (await ask({ Authorization: "x" })).status]).toEqual([401, 500]);
    expect(failures).toEqual([["/inspect/api/sessions", "Error: no disk"]]);
  });

  it("takes a container, which stays its owner's", async () => {
    let closed = 0;
    const pool = Object.assign(new InProcessPool(), { close: async () => void closed++ });
    const container = createInspectorContainer(source, { pool });
    const inspector = mount({ source: container });
    expect((await inspector.fetch(new Request("http://h/inspect/api/sessions"))).status).toBe(200);
    await inspector.close();
    expect(closed).toBe(0);
    expect(() => mount({ source: container, prices: false })).toThrow("`prices` belongs into");
    for (const given of [{ threads: false }, { pool }] as const)
      expect(() => mount({ source: container, ...given })).toThrow("`threads` and `pool` are for a source");
  });

  it("computes where it is told: without threads, or in a pool, which stays its owner's", async () => {
    const threads = startedThreads();
    let closed = 0;
    const pool = Object.assign(new InProcessPool(), { close: async () => void closed++ });
    const run = vi.spyOn(pool, "run");
    const spoken = createInMemoryInspectorDataSource([
      { sessionId: "s1", messages: [{ role: "user", content: "a title" }] },
    ]);
    for (const given of [{ threads: false }, { pool }] as const) {
      const inspector = mount({ source: spoken, ...given });
      const answer = await inspector.fetch(new Request("http://h/inspect/api/search?q=title"));
      expect(await answer.json()).toMatchObject({ hits: [{ sessionId: "s1" }] });
      await inspector.close();
    }
    expect([threads.length, closed]).toEqual([0, 0]);
    expect(run).toHaveBeenCalled();
  });

  it("takes the page's files from the folder that is named", async () => {
    const assets = await temporaryFolder();
    await writeFile(path.join(assets, "index.html"), "the page");
    const page = await mount({ assets }).fetch(new Request("http://h/inspect/"));
    expect(await page.text()).toBe("the page");
  });

  it("ends the thread that it started", async () => {
    const threads = startedThreads();
    const message = { role: "user", content: "A title" };
    const spoken = createInMemoryInspectorDataSource([{ sessionId: "s1", messages: [message] }]);
    const inspector = mount({ source: spoken });
    const answer = await inspector.fetch(new Request("http://h/inspect/api/search?q=title"));
    expect(await answer.json()).toMatchObject({ hits: [{ sessionId: "s1" }] });
    expect(threads).toHaveLength(1);
    await inspector.close();
    expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  it.each([
    "inspect",
    "",
    "/a//b",
    "/:a",
    "/a*",
    "/a/../b",
    "/./a",
    "/a%62",
    "/é",
    "/a?b",
    "/a#",
    "/a b",
    "/a\\b",
    "//",
  ])("refuses the path %j", (basePath) => {
    expect(() => mount({ basePath })).toThrow("`basePath` must be a path such as /inspect");
  });
});
