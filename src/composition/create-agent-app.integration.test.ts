import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../test/support/data-directory.js";
import { handMadeSource } from "../../test/support/hand-made-source.js";
import { startedThreads } from "../../test/support/started-threads.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import type { ReadingPool } from "../application/ports/reading-pool.js";
import { InProcessPool } from "../application/threads/in-process-pool.js";
import { createAgentApp } from "./create-agent-app.js";
import { createInMemoryInspectorDataSource } from "./in-memory-data-source.js";

const status = async (app: ReturnType<typeof createAgentApp>, path: string) =>
  (await app.request(path)).status;

describe("createAgentApp refuses", () => {
  it("`inspector: true` without `dataDir`, and names what to set", () => {
    for (const dataDir of [undefined, ""]) {
      const create = () => createAgentApp({ inspector: true, dataDir });
      expect(create).toThrow(AgentAppConfigurationError);
      expect(create).toThrow(/`inspector: true`.*`dataDir`.*Set `dataDir`/);
    }
  });

  it("`inspector: true` with a `sessionStore`, and names what to pass instead", () => {
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

describe("createAgentApp refuses an option", () => {
  const create = (options: unknown) => () => createAgentApp(options as never);
  const source = createInMemoryInspectorDataSource();
  const { loadMessages: _, ...lacking } = handMadeSource({});

  it.each<[object, string]>([
    [{ thread: 1 }, "Unknown option 'thread'. Did you mean 'threads'?"],
    [{ threads: true }, "`threads` must be an integer from 1 up, or false, but it is of type boolean."],
    [{ pool: {} }, "`pool` is no ReadingPool: it has no run, no close."],
    [{ inspectorOption: {} }, "Unknown option 'inspectorOption'. Did you mean 'inspectorOptions'?"],
    [{ datadir: "data" }, "Unknown option 'datadir'. Did you mean 'dataDir'?"],
    [{ timeoutMs: 1 }, "Unknown option 'timeoutMs'. `timeoutMs` belongs into `inspectorOptions`."],
    [
      { inspectorOptions: { acess: () => ({ tenants: [] }) } },
      "`inspectorOptions`: Unknown option 'acess'. Did you mean 'access'?",
    ],
    [
      { recorderOptions: { onerror: () => {} } },
      "`recorderOptions`: Unknown option 'onerror'. Did you mean 'onError'?",
    ],
    [
      { inspector: source, inspectorOptions: { guard: 1 } },
      "`inspectorOptions`: Unknown option 'guard'. The options are onError, timeoutMs, access, prices, redactionRules.",
    ],
  ])("that there is not: %j", (options, message) => {
    expect(create(options)).toThrow(new AgentAppConfigurationError(message));
    expect(create({ ...options, inspector: source })).toThrow(new AgentAppConfigurationError(message));
  });

  it.each<[unknown, string]>([
    [
      { inspector: "true" },
      "`inspector` must be true, false or an InspectorDataSource, but it is of type string.",
    ],
    [
      { inspector: 1 },
      "`inspector` must be true, false or an InspectorDataSource, but it is of type number.",
    ],
    [{ inspector: null }, "`inspector` must be true, false or an InspectorDataSource, but it is null."],
    [{ inspector: lacking }, "`inspector` is no InspectorDataSource: it has no loadMessages."],
    [{ dataDir: "" }, "`dataDir` must be the path of a folder, but it is empty."],
    [{ dataDir: null }, "`dataDir` must be the path of a folder, but it is null."],
    [
      { sessionStore: { openSession() {} } },
      "`sessionStore` is no SessionStore: it has no updateSession, no ",
    ],
    [{ inspectorOptions: true }, "`inspectorOptions` must be an object, but it is of type boolean."],
    [{ inspectorOptions: { access: true } }, "`inspectorOptions.access` must be a function, but it is"],
    [
      { inspectorOptions: { timeoutMs: "60" } },
      "`inspectorOptions.timeoutMs` must be a number of milliseconds from 1",
    ],
    [
      { inspectorOptions: { timeoutMs: 0 } },
      "inspectorOptions.timeoutMs is 0: it has to be a number of milliseconds",
    ],
    [
      { inspectorOptions: { prices: true } },
      "`inspectorOptions.prices` must be an object of prices by model, or false",
    ],
    [
      { recorderOptions: { clock: { now: 1 } } },
      "`recorderOptions.clock` is no RecorderClock: it has no now, no newId.",
    ],
    ["./data", "`options` must be an object, but it is of type string."],
  ])("whose value is wrong: %j", (options, message) => {
    expect(create(options)).toThrow(AgentAppConfigurationError);
    expect(create(options)).toThrow(message);
  });

  it("and names all that is wrong at once", () => {
    expect(create({ inspector: true, datadir: "data", sessionStore: source.sessionStore })).toThrow(
      /'datadir'.*`dataDir`.*`sessionStore`/,
    );
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
    onTestFinished(() => app.close());
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
    expect(await source.listSessions()).toMatchObject([{ sessionId: "of the store" }]);
  });

  it("a recorder that keeps histories in memory by default", async () => {
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

/** Returns the output of a program that runs in its own process. Fails if the process does not end. */
async function outputOf(program: string): Promise<string> {
  const file = path.join(await temporaryFolder(), "program.mjs");
  await writeFile(file, program);
  const args = [...process.execArgv, file];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 40_000 });
  return stdout;
}

/** Longer than what is sorted without a thread. */
const LONG_TRACE = 12_000;

describe("An agent application reads and computes", () => {
  /** Reads the files and computes, too. */
  async function search(app: ReturnType<typeof createAgentApp>): Promise<void> {
    await (await app.sessions.open()).startTrace().record({ type: "text", text: "a needle" });
    const answer = await app.request("/__inspector/search?q=needle");
    expect(await answer.json()).toMatchObject({ hits: [{ matches: 1 }] });
  }

  it("without threads where `threads` is false", async () => {
    const threads = startedThreads();
    const app = createAgentApp({ dataDir: await temporaryFolder(), inspector: true, threads: false });
    await search(app);
    await app.close();
    expect(threads).toEqual([]);
  });

  it("in a `pool` that is given, which stays its owner's", async () => {
    const threads = startedThreads();
    const tasks = new Set<string>();
    const here = new InProcessPool();
    const close = vi.fn();
    const pool: ReadingPool = {
      threads: 1,
      run(task, input, options) {
        tasks.add(task.name);
        return here.run(task, input, options);
      },
      close,
    };
    const app = createAgentApp({ dataDir: await temporaryFolder(), inspector: true, pool });
    await search(app);
    await app.close();
    expect([...tasks]).toEqual(expect.arrayContaining(["lookUpFiles", "searchBatch"]));
    expect(threads).toEqual([]);
    expect(close).not.toHaveBeenCalled();
  });
});

describe("An agent application that is closed", () => {
  it("has written what was recorded, and has ended its threads", async () => {
    const threads = startedThreads();
    const dataDir = await temporaryFolder();
    const app = createAgentApp({ dataDir, inspector: true });
    const session = await app.sessions.open({ sessionId: "s1" });
    const trace = session.startTrace();
    const recorded = Array.from({ length: LONG_TRACE }, () =>
      trace.record({ type: "tool.start", toolCallId: "1", toolName: "read" }),
    );
    await Promise.all(recorded);
    expect(await status(app, "/__inspector/sessions/s1/trace?limit=1")).toBe(200);
    expect(threads.length).toBeGreaterThan(0);
    const unawaited = session.appendMessages([{ role: "user", content: "the last words" }]);
    await app.close();
    expect(threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
    await unawaited;
    const later = createAgentApp({ dataDir, inspector: true });
    const { messages } = (await (await later.request("/__inspector/sessions/s1/messages")).json()) as {
      messages: unknown[];
    };
    await later.close();
    expect(messages).toHaveLength(1);
  });

  it("has waited for what is recorded into a store that was given", async () => {
    const { sessionStore } = createInMemoryInspectorDataSource();
    let end = () => {};
    vi.spyOn(sessionStore, "appendTurn").mockReturnValue(
      new Promise((resolve) => {
        end = resolve;
      }),
    );
    const app = createAgentApp({ sessionStore });
    void (await app.sessions.open()).recordTurn();
    const closed = vi.fn();
    const closing = app.close().then(closed);
    await setImmediate();
    expect(closed).not.toHaveBeenCalled();
    end();
    await closing;
  });

  it("lets the process end", async () => {
    const entry = pathToFileURL(path.resolve(import.meta.dirname, "../../dist/src/index.js")).href;
    const dataDir = await temporaryFolder();
    const output = await outputOf(`
      import { createAgentApp } from ${JSON.stringify(entry)};
      const app = createAgentApp({ dataDir: ${JSON.stringify(dataDir)}, inspector: true });
      await (await app.sessions.open({ sessionId: "s1" })).startTrace().record({ type: "turn.start" });
      const { status } = await app.request("/__inspector/sessions/s1/trace");
      await app.close();
      process.stdout.write(String(status));
    `);
    expect(output).toBe("200");
  });

  it("leaves the store and the source that it was given to their owner", async () => {
    const close = vi.fn();
    const memory = createInMemoryInspectorDataSource();
    const closable = Object.assign(memory, { close });
    const app = createAgentApp({
      sessionStore: Object.assign(memory.sessionStore, { close }),
      inspector: closable,
    });
    await app.close();
    expect(close).not.toHaveBeenCalled();
  });

  it("may be closed twice, and may have opened nothing", async () => {
    const app = createAgentApp();
    await app.close();
    await expect(app.close()).resolves.toBeUndefined();
  });
});

it("hands out the recorder that its handlers find", async () => {
  const app = createAgentApp();
  app.get("/", (c) => c.text(String(c.var.sessions === app.sessions)));
  expect(await (await app.request("/")).text()).toBe("true");
});

it("tells `recorderOptions.onError` what could not be recorded, and answers on", async () => {
  const { sessionStore } = createInMemoryInspectorDataSource();
  vi.spyOn(sessionStore, "openSession").mockRejectedValue(new Error("disk full"));
  const onError = vi.fn();
  const app = createAgentApp({ sessionStore, recorderOptions: { onError } });
  app.post("/chat", async (c) => c.text((await c.var.sessions.open({ sessionId: "s1" })).sessionId));
  const response = await app.request("/chat", { method: "POST" });
  expect([response.status, await response.text()]).toEqual([200, "s1"]);
  expect(onError.mock.calls).toMatchObject([
    [{ name: "RecordingError", message: expect.stringContaining("s1") }],
  ]);
});
