import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { localGuard } from "./local-guard.js";

const app = new Hono();
app.use("*", localGuard({ authorities: ["127.0.0.1:4680", "localhost:4680", "[::1]:4680"] }));
app.get("/", (c) => c.text("secret"));
app.get("/page", (c) => {
  c.header("Content-Security-Policy", "default-src 'none'");
  return c.text("page");
});

function get(headers: Record<string, string>, path = "/") {
  return app.request(`http://localhost:4680${path}`, { headers });
}

describe("localGuard", () => {
  it.each(["127.0.0.1:4680", "localhost:4680", "LocalHost:4680", "[::1]:4680"])(
    "answers for %s",
    async (host) => {
      const response = await get({ Host: host });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("secret");
    },
  );

  it.each([
    "evil.example:4680",
    "localhost",
    "localhost:4681",
    "localhost:80",
    "localhost.evil.example:4680",
    "127.0.0.1:4680.evil.example",
    "",
  ])("refuses the Host %j", async (host) => {
    const response = await get({ Host: host });
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain("secret");
  });

  it("refuses a request in absolute form for another host, whatever its Host", async () => {
    const response = await app.request("http://evil.example/", { headers: { Host: "localhost:4680" } });
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain("secret");
  });

  it("refuses a request without a Host", async () => {
    expect((await app.request("http://localhost:4680/")).status).toBe(403);
  });

  it("answers for a name without a port where the port is 80", async () => {
    const web = new Hono().use(localGuard({ authorities: ["localhost:80"] })).get("/", (c) => c.text("ok"));
    expect((await web.request("/", { headers: { Host: "localhost" } })).status).toBe(200);
    expect((await web.request("/", { headers: { Host: "localhost:80" } })).status).toBe(200);
    expect((await web.request("/", { headers: { Host: "localhost:8080" } })).status).toBe(403);
  });

  it.each([
    "https://evil.example",
    "http://localhost:3000",
    "http://localhost",
    "null",
    "http://localhost:4680.evil.example",
    "file://localhost:4680",
  ])("refuses the Origin %s", async (origin) => {
    expect((await get({ Host: "localhost:4680", Origin: origin })).status).toBe(403);
  });

  it("answers its own Origin", async () => {
    expect((await get({ Host: "localhost:4680", Origin: "http://localhost:4680" })).status).toBe(200);
  });

  it.each(["cross-site", "same-site", "unheard-of"])("refuses Sec-Fetch-Site: %s", async (site) => {
    expect((await get({ Host: "localhost:4680", "Sec-Fetch-Site": site })).status).toBe(403);
  });

  it.each(["same-origin", "none"])("answers Sec-Fetch-Site: %s", async (site) => {
    expect((await get({ Host: "localhost:4680", "Sec-Fetch-Site": site })).status).toBe(200);
  });

  it("names in a problem document what it answers for", async () => {
    const response = await get({ Host: "evil.example" });
    expect(response.headers.get("Content-Type")).toContain("application/problem+json");
    expect(await response.json()).toMatchObject({
      status: 403,
      detail: expect.stringContaining("localhost:4680"),
    });
  });

  it.each([{ Host: "localhost:4680" }, { Host: "evil.example" }])(
    "forbids framing and foreign embedding for %j",
    async (headers) => {
      const response = await get(headers);
      expect(response.headers.get("X-Frame-Options")).toBe("DENY");
      expect(response.headers.get("Content-Security-Policy")).toBe("frame-ancestors 'none'");
      expect(response.headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
    },
  );

  it("adds to the content security policy of a page instead of replacing it", async () => {
    const response = await get({ Host: "localhost:4680" }, "/page");
    expect(response.headers.get("Content-Security-Policy")).toBe(
      "default-src 'none', frame-ancestors 'none'",
    );
  });
});
