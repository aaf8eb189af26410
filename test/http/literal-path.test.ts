import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource, createInspectorRoute } from "../../src/advanced.js";
import { spellingsOf } from "../support/spellings.js";

const source = createInMemoryInspectorDataSource([{ sessionId: "s 1ä", title: "A title" }]);
const route = () => createInspectorRoute(source);

/** `new Request` would normalize the address. */
async function ask(app: Hono, target: string, incoming?: object): Promise<number> {
  const request = new Request("http://h/", { headers: { host: "h" } });
  Object.defineProperty(request, "url", { value: `http://h${target}` });
  return (await app.fetch(request, incoming === undefined ? undefined : { incoming })).status;
}

const MOUNTED: readonly (readonly [name: string, path: string, app: Hono])[] = [
  ["at a path", "/__inspector/sessions", new Hono().route("/__inspector", route())],
  [
    "in an application that is in another",
    "/a/b/sessions",
    new Hono().route("/a", new Hono().route("/b", route())),
  ],
  ["below a base path", "/a/b/sessions", new Hono().basePath("/a").route("/b", route())],
  [
    "where the name of the host is routed, too",
    "/a/sessions",
    new Hono({ getPath: hostAndPath }).route("/h/a", route()),
  ],
  ["where the host cuts a slash off", "/a/sessions", new Hono({ strict: false }).route("/a", route())],
  ["with letters that are always encoded", "/caf%C3%A9/sessions", new Hono().route("/café", route())],
];

function hostAndPath({ url }: Request): string {
  return url.replace(/^https?:\//, "").replace(/\?.*/, "");
}

describe("The API, mounted", () => {
  it.each(MOUNTED)("%s, is found by its path and by no other spelling", async (_, path, app) => {
    expect(await ask(app, path)).toBe(200);
    expect(await ask(app, `${path}?q=/../%2e#//x`)).toBe(200);
    const found = [];
    // Some hosts serve a path with a slash at its end as well.
    for (const target of spellingsOf(path).filter((one) => one !== `${path}/` && one.startsWith("/"))) {
      if ((await ask(app, target)) === 200) found.push(target);
    }
    expect(found).toEqual([]);
  });

  it("may have parameters of the host's before it", async () => {
    for (const mount of ["/:a/b", "/:a{.+}/b", "/*/b"]) {
      const app = new Hono().route(mount, route());
      expect(await ask(app, "/%61%C3%A4/b/sessions")).toBe(200);
      expect(await ask(app, "/a/%62/sessions")).toBe(404);
    }
  });

  it("takes parameters as they are encoded", async () => {
    const app = new Hono().route("/a", route());
    for (const id of ["s%201%C3%A4", "%73%20%31%c3%a4"]) {
      expect([id, await ask(app, `/a/sessions/${id}/trace`)]).toEqual([id, 200]);
    }
    expect(await ask(app, "/a/sessions/s%201%C3%A4/tr%61ce")).toBe(404);
  });

  it("is held to what came to Node.js, before anything resolved it, and to the path that a host has cut off", async () => {
    const app = new Hono().route("/a", route());
    for (const [incoming, status] of [
      [{ url: "/a/sessions" }, 200],
      [{ url: "/x/../a/sessions" }, 404],
      [{ url: "http://h/a/sessions" }, 404],
      [{ url: "/a\\sessions" }, 404],
      [{ url: "/a/sessions", originalUrl: "/b/a/sessions" }, 200],
      [{ url: "/a/sessions", originalUrl: "/x/../b/a/sessions" }, 404],
      [{ url: "/rewritten" }, 200],
      [{ url: "/rewr%69tten" }, 404],
      [{ url: "/caf%C3%A9" }, 200],
      [{ url: 7 }, 200],
    ] as const) {
      expect([incoming, await ask(app, "/a/sessions", incoming)]).toEqual([incoming, status]);
    }
  });

  it("is held to what came to Node.js where Hono's mount decodes it", async () => {
    const app = new Hono().mount("/a", route().fetch);
    expect(await ask(app, "/a/sessions", { url: "/a/sessions" })).toBe(200);
    for (const url of spellingsOf("/a/sessions")) {
      expect([url, await ask(app, url.startsWith("/") ? url : "/a/sessions", { url })]).toEqual([
        url,
        expect.not.toSatisfy((status) => status === 200),
      ]);
    }
  });
});
