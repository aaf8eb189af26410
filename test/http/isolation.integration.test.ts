import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { createInMemoryInspectorDataSource, createInspectorRoute } from "../../src/advanced.js";
import { createAgentApp, INSPECTOR_PATH, type InspectorDataSource } from "../../src/index.js";
import { temporaryFolder } from "../support/data-directory.js";
import { expectConforms } from "../support/openapi.js";

async function ask(app: Hono, prefix: string, path: string): Promise<unknown> {
  const response = await app.request(prefix + path);
  return JSON.parse(await expectConforms(response, path));
}

function sourceWith(sessionId: string): InspectorDataSource {
  return createInMemoryInspectorDataSource([{ sessionId, createdAt: 0, messages: [{ of: sessionId }] }]);
}

describe("Two inspectors in one process", () => {
  it("do not see each other, mounted in one app", async () => {
    const app = new Hono()
      .route("/one/__inspector", createInspectorRoute(sourceWith("s1")))
      .route("/two/__inspector", createInspectorRoute(sourceWith("s2")));
    for (const [prefix, own, other] of [
      ["/one/__inspector", "s1", "s2"],
      ["/two/__inspector", "s2", "s1"],
    ] as const) {
      expect(await ask(app, prefix, "/sessions")).toMatchObject({ sessions: [{ sessionId: own }] });
      expect(await ask(app, prefix, `/sessions/${own}/messages`)).toStrictEqual({ messages: [{ of: own }] });
      expect(await ask(app, prefix, `/sessions/${other}/messages`)).toMatchObject({ status: 404 });
    }
  });

  it("do not see each other in two apps", async () => {
    const apps = ["s1", "s2"].map((id) => createAgentApp({ inspector: sourceWith(id) }));
    for (const [i, id] of ["s1", "s2"].entries()) {
      const response = await apps[i]?.request(`${INSPECTOR_PATH}/sessions`);
      expect(await response?.json()).toMatchObject({ sessions: [{ sessionId: id }] });
    }
  });

  it("read what their own app recorded", async () => {
    const dataDirs = [await temporaryFolder(), await temporaryFolder()];
    const apps = dataDirs.map((dataDir) => {
      const app = createAgentApp({ dataDir, inspector: true });
      onTestFinished(() => app.close());
      app.post("/chat", async (c) => {
        const session = await c.var.sessions.open({ tenantId: "acme" });
        await session.startTrace().record({ type: "session.start" });
        await session.appendMessages([{ role: "user", content: dataDir }]);
        return c.json({ sessionId: session.sessionId });
      });
      return app;
    });
    for (const [i, app] of apps.entries()) {
      const { sessionId } = (await (await app.request("/chat", { method: "POST" })).json()) as {
        sessionId: string;
      };
      const path = `/sessions/${sessionId}/messages?tenantId=acme`;
      const own = await app.request(INSPECTOR_PATH + path);
      expect(JSON.parse(await expectConforms(own, path))).toMatchObject({
        messages: [{ content: dataDirs[i] }],
      });
      expect((await apps[1 - i]?.request(INSPECTOR_PATH + path))?.status).toBe(404);
      const trace = `/sessions/${sessionId}/trace?tenantId=acme`;
      await expectConforms(await app.request(INSPECTOR_PATH + trace), trace);
    }
  });

  it("are not there where none was asked for", async () => {
    for (const options of [{}, { inspector: false }, { dataDir: await temporaryFolder() }]) {
      for (const path of ["/sessions", "/health", ""]) {
        const response = await createAgentApp(options).request(INSPECTOR_PATH + path);
        expect(response.status).toBe(404);
      }
    }
  });

  it("leave the host's own routes alone", async () => {
    const app = createAgentApp({ inspector: sourceWith("s1") });
    app.post("/sessions", (c) => c.text("the host's", 201));
    const response = await app.request("/sessions", { method: "POST" });
    expect([response.status, response.headers.get("cache-control")]).toStrictEqual([201, null]);
    expect((await app.request("/elsewhere")).headers.get("x-content-type-options")).toBeNull();
  });
});
