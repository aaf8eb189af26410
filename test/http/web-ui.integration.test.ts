import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
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

  it("adds the slash that is missing, and keeps how the name is encoded and the query", async () => {
    const { status, headers } = await requestRaw(await serve(), `${mount}/caf%C3%A9?a=%2F`);
    expect([status, headers.get("Location")]).toEqual([302, "./caf%C3%A9/?a=%2F"]);
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
