import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/data-directory.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import { createAgentApp } from "./create-agent-app.js";
import { createInMemoryInspectorDataSource } from "./data-sources.js";

const status = async (app: ReturnType<typeof createAgentApp>, path: string) =>
  (await app.request(path)).status;

describe("createAgentApp refuses", () => {
  it("`inspector: true` without `dataDir`, and says what to set", () => {
    for (const dataDir of [undefined, ""]) {
      const create = () => createAgentApp({ inspector: true, dataDir });
      expect(create).toThrow(AgentAppConfigurationError);
      expect(create).toThrow(/`inspector: true`.*`dataDir`.*Set `dataDir`/);
    }
  });

  it("`inspector: true` with a `sessionStore`, and says what to pass instead", () => {
    const { sessionStore } = createInMemoryInspectorDataSource();
    const create = () => createAgentApp({ inspector: true, dataDir: "data", sessionStore });
    expect(create).toThrow(AgentAppConfigurationError);
    expect(create).toThrow(/`inspector: true`.*`sessionStore`.*InspectorDataSource/);
  });

  it("both at once with one error that names both", () => {
    const { sessionStore } = createInMemoryInspectorDataSource();
    const create = () => createAgentApp({ inspector: true, sessionStore });
    expect(create).toThrow(/`dataDir`.*`sessionStore`/s);
  });

  it("an object that is no data source, and names the methods that it lacks", () => {
    const create = () => createAgentApp({ inspector: { listSessions: async () => [] } as never });
    expect(create).toThrow(/no loadTraceEnvelopes, no loadOrchestrationEvents, .*no loadMessages/);
  });
});

describe("createAgentApp mounts", () => {
  it("nothing without `inspector`", async () => {
    for (const inspector of [undefined, false] as const) {
      const app = createAgentApp({ dataDir: await temporaryFolder(), inspector });
      expect(await status(app, "/__inspector/health")).toBe(404);
      expect(await status(app, "/__inspector/sessions")).toBe(404);
    }
  });

  it("the inspector on `dataDir`, which reads what handlers record", async () => {
    const app = createAgentApp({ dataDir: await temporaryFolder(), inspector: true });
    app.post("/chat", async (c) => {
      const session = await c.var.sessions.open({ tenantId: "acme", sessionId: "s1" });
      await session.appendMessages([{ role: "user", content: await c.req.text() }]);
      return c.text("ok");
    });
    await app.request("/chat", { method: "POST", body: "hello" });
    const response = await app.request("/__inspector/sessions/s1/messages?tenantId=acme");
    expect(await response.json()).toEqual({ messages: [{ role: "user", content: "hello" }] });
  });

  it("a source as it is, whatever the `sessionStore`", async () => {
    const source = createInMemoryInspectorDataSource();
    const other = createInMemoryInspectorDataSource([{ tenantId: "acme", sessionId: "of the source" }]);
    const app = createAgentApp({ sessionStore: source.sessionStore, inspector: other });
    app.post("/chat", async (c) => {
      await c.var.sessions.open({ sessionId: "of the store" });
      return c.text("ok");
    });
    await app.request("/chat", { method: "POST" });
    expect(await (await app.request("/__inspector/sessions")).json()).toMatchObject({
      sessions: [{ sessionId: "of the source" }],
    });
    expect(await source.hasSession?.("default", "of the store")).toBe(true);
  });

  it("a recorder that keeps histories in memory where nothing else was said", async () => {
    const app = createAgentApp();
    app.get("/turns", async (c) => {
      const session = await c.var.sessions.open({ sessionId: "s1" });
      await session.recordTurn();
      return c.json({ turns: session.turns });
    });
    await app.request("/turns");
    expect(await (await app.request("/turns")).json()).toEqual({ turns: 2 });
  });
});
