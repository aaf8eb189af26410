import { isUtf8 } from "node:buffer";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { claudeCodeFormat } from "../../src/adapters/formats/claude-code/claude-code-format.js";
import { followLog, LOG_FOLD } from "../../src/domain/session/session-log.js";
import type { InspectorDataSource } from "../../src/index.js";
import { at, newProjects, openHistories, userRecord } from "../claude-code/support/projects.js";
import { temporaryFolder } from "../support/data-directory.js";
import { handMadeSnapshot, handMadeSource } from "../support/hand-made-source.js";
import { inspect } from "../support/inspector.js";
import { filesystemSource } from "../support/sources.js";

type Files = Readonly<Record<string, string | Buffer>>;

async function dataDirectory(files: Files): Promise<{ source: InspectorDataSource; folder: string }> {
  const dataDir = await temporaryFolder();
  const folder = path.join(dataDir, "tenants/acme/sessions/s1");
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return { source: filesystemSource(dataDir), folder };
}

const TRACE = "/sessions/s1/trace?tenantId=acme";
const MESSAGES = "/sessions/s1/messages?tenantId=acme";
const ORCHESTRATION = "/sessions/s1/orchestration?tenantId=acme";

const INIT = '{"type":"init","userId":"ada","createdAt":1767502875000}\n';

function envelope(i: number, more = ""): string {
  return (
    `{"id":"e${i}","timestamp":"${at(i)}","sequence":${i},"source":"runtime","sessionId":"s1",` +
    `"tenantId":"acme","traceId":"t","event":{"type":"x"}${more}}`
  );
}

describe("A session's own log", () => {
  const turn = '{"type":"turn","inputTokens":5}';
  const log = `${INIT}{"type":"turn","inputTok\n${turn}\n{"type":"turn","inputTokens":-1}\n42\n`;

  it("has its corrupt lines among the warnings of the trace, on every page, and counted in the list", async () => {
    const { source, folder } = await dataDirectory({
      "session.jsonl": log,
      "trace/events.jsonl": `${envelope(0)}\n${envelope(1)}\n`,
    });
    const inspector = inspect(source);
    const lines = async (query = "") => {
      const { body } = await inspector.ask(TRACE + query);
      const warnings = (body.warnings ?? []) as { file: string; line: number }[];
      return warnings.map(({ file, line }) => `${file} ${line}`);
    };
    const expected = ["session.jsonl 2", "session.jsonl 4", "session.jsonl 5"];
    expect(await lines()).toEqual(expected);
    expect(await lines("&limit=1")).toEqual(expected);
    const item = async () => ((await inspector.ask("/sessions")).body.sessions as object[])[0];
    expect(await item()).toMatchObject({ turns: 2, tokens: 5, warnings: 3 });
    const { headers } = await inspector.ask(TRACE);
    await appendFile(path.join(folder, "session.jsonl"), "{]\n{torn");
    expect(await item()).toMatchObject({ warnings: 4 });
    expect((await inspector.ask(TRACE)).headers.get("ETag")).not.toBe(headers.get("ETag"));
    expect(await lines()).toEqual([...expected, "session.jsonl 6"]);
  });

  it("is gone on with where it is long", async () => {
    const many = `${turn}\n`.repeat(300);
    const { source, folder } = await dataDirectory({ "session.jsonl": INIT + many + log.slice(INIT.length) });
    const item = async () => (await source.listSessions())[0];
    expect(await item()).toMatchObject({ turns: 302, warnings: 3 });
    await appendFile(path.join(folder, "session.jsonl"), `nonsense\n${turn}${turn}\n`);
    expect(await item()).toMatchObject({ turns: 304, warnings: 4 });
  });

  it("has no warning where all is well", async () => {
    const { source } = await dataDirectory({ "session.jsonl": `${INIT}${turn}\n` });
    expect(await source.listSessions()).toMatchObject([{ turns: 1 }]);
    expect((await source.listSessions())[0]).not.toHaveProperty("warnings");
    expect((await inspect(source).ask(TRACE)).body).toEqual({ envelopes: [] });
  });
});

describe("A checkpoint that is no whole JSON object", () => {
  it.each([
    ['{"agents":{"a1":{"id":"a1"', "is not valid JSON"],
    ["", "is not valid JSON"],
    ["[]", "is valid JSON, but no object"],
  ])("is a warning of the orchestration: %s", async (checkpoint, reason) => {
    const { source } = await dataDirectory({
      "session.jsonl": INIT,
      "orchestration/checkpoint.json": checkpoint,
    });
    const warning = {
      file: "orchestration/checkpoint.json",
      line: 1,
      reason: expect.stringContaining(reason),
    };
    expect((await inspect(source).ask(ORCHESTRATION)).body).toEqual({ agents: [], warnings: [warning] });
    expect(await source.loadOrchestrationState("acme", "s1")).toMatchObject({ warnings: [warning] });
  });

  it("leaves the agents that the events tell of", async () => {
    const { source } = await dataDirectory({
      "orchestration/events.jsonl": '{"eventId":"e","type":"agent_spawned","agent":{"id":"a2"}}\nnonsense\n',
      "orchestration/checkpoint.json": "{",
    });
    expect((await inspect(source).ask(ORCHESTRATION)).body).toMatchObject({
      agents: [{ agentId: "a2" }],
      warnings: [{ file: "orchestration/events.jsonl" }, { file: "orchestration/checkpoint.json" }],
    });
  });
});

describe("Records that share a line", () => {
  const cut = '{"role":"us';

  it("are all read from a data directory, and what is no record behind them is reported", async () => {
    const { source, folder } = await dataDirectory({
      "session.jsonl": `${INIT.trimEnd()}{"type":"turn","inputTokens":5}\n`,
      "messages.jsonl": `{"n":1}{"n":2} \t{"n":3}\n{"n":4}${cut}\n{"n":5} 42\n{"n":6}{"n":7}${cut}`,
      "trace/events.jsonl": `${envelope(0)}${envelope(1)}\n${envelope(2)}`,
      "orchestration/events.jsonl":
        '{"type":"agent_spawned","agent":{"id":"a1"}}{"type":"agent_spawned","agent":{"id":"a2"}}\n',
    });
    const inspector = inspect(source);
    const numbers = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ n }));
    expect((await inspector.ask(MESSAGES)).body).toMatchObject({
      messages: numbers,
      warnings: [
        { line: 2, reason: "is not valid JSON" },
        { line: 3, reason: "is valid JSON, but no object" },
      ],
    });
    expect((await inspector.ask(TRACE)).text).toContain(`[${[0, 1, 2].map((i) => envelope(i)).join(",")},`);
    expect((await inspector.ask(ORCHESTRATION)).body.agents).toHaveLength(2);
    expect(await source.listSessions()).toMatchObject([{ turns: 1, tokens: 5 }]);
    await appendFile(path.join(folder, "messages.jsonl"), 'er"}{"n":8}\n');
    expect((await inspector.ask(MESSAGES)).body.messages).toEqual([...numbers, { role: "user" }, { n: 8 }]);
  });

  it("are all read from Claude Code, also where the second is appended to a line that was read", async () => {
    const [first, second, third] = ["one", "two", "three"].map((text, i) =>
      JSON.stringify(userRecord(i, i, text)),
    );
    const root = await newProjects({ "p/s.jsonl": first! });
    const file = path.join(root, "p/s.jsonl");
    const source = openHistories(root);
    const contents = async () => (await source.loadMessages("p", "s")).map(({ content }) => content);
    const turns = async () => (await source.listSessions())[0]!.turns;
    expect([await contents(), await turns()]).toEqual([["one"], 1]);
    await appendFile(file, second!.slice(0, 9));
    expect([await contents(), await turns()]).toEqual([["one"], 1]);
    await appendFile(file, second!.slice(9));
    expect([await contents(), await turns()]).toEqual([["one", "two"], 2]);
    await appendFile(file, `${third}${cut}\n`);
    expect([await contents(), await turns()]).toEqual([["one", "two", "three"], 3]);
    const { body } = await inspect(source).ask("/sessions/s/trace?tenantId=p");
    const ids = (body.envelopes as { id: string }[]).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(body.warnings).toEqual([{ file: "s.jsonl", line: 1, reason: "is not valid JSON" }]);
    expect(await source.listSessions()).toMatchObject([{ warnings: 1 }]);
  });
});

describe("Bytes that are no UTF-8", () => {
  const invalid = Buffer.from([0x61, 0xff, 0xc3]);
  const shown = "a\ufffd\ufffd";
  /** Replaces each `@` by the bytes. */
  const bytes = (text: string) =>
    Buffer.concat(
      text.split("@").flatMap((part, i) => [i === 0 ? Buffer.alloc(0) : invalid, Buffer.from(part)]),
    );

  async function ask(source: InspectorDataSource, url: string) {
    const response = await inspect(source).open(url);
    const body = Buffer.from(await response.arrayBuffer());
    expect(isUtf8(body), url).toBe(true);
    return JSON.parse(body.toString()) as Record<string, readonly object[]>;
  }

  it("are sent as U+FFFD from a data directory, and warned of", async () => {
    const { source } = await dataDirectory({
      "session.jsonl": bytes('{"type":"init","title":"@"}\n'),
      "messages.jsonl": bytes('{"text":"@"}\n{"n":1}\n{"tail":"@"}'),
      "trace/events.jsonl": bytes(`${envelope(0)}\n${envelope(1, ',"more":"@"')}\n`),
      "orchestration/events.jsonl": bytes('{"type":"agent_spawned","agent":{"id":"a1","role":"@"}}\n'),
    });
    const reason = expect.stringContaining("UTF-8");
    expect(await ask(source, MESSAGES)).toEqual({
      messages: [{ text: shown }, { n: 1 }, { tail: shown }],
      warnings: [1, 3].map((line) => ({ file: "messages.jsonl", line, reason })),
    });
    const trace = await ask(source, TRACE);
    expect(trace.envelopes![1]).toMatchObject({ more: shown });
    expect(trace.warnings).toEqual([
      { file: "trace/events.jsonl", line: 2, reason },
      { file: "session.jsonl", line: 1, reason },
      { file: "orchestration/events.jsonl", line: 1, reason },
    ]);
    expect((await ask(source, ORCHESTRATION)).agents).toMatchObject([{ role: shown }]);
    expect((await ask(source, "/sessions")).sessions).toMatchObject([{ title: shown, warnings: 1 }]);
  });

  it("are sent as U+FFFD from Claude Code, and warned of once", async () => {
    const root = await newProjects({});
    await mkdir(path.join(root, "p"));
    const file = path.join(root, "p/s.jsonl");
    const record = (content: string) => bytes(JSON.stringify(userRecord(1, 1, content)));
    await writeFile(file, record("one @"));
    const source = openHistories(root);
    const warning = { file: "s.jsonl", line: 1, reason: expect.stringContaining("UTF-8") };
    const url = "/sessions/s/messages?tenantId=p";
    const first = { role: "user", content: `one ${shown}` };
    const outline = { calls: [], removals: [] };
    expect(await ask(source, url)).toEqual({ messages: [first], outline, warnings: [warning] });
    await appendFile(file, "\n");
    expect(await ask(source, url)).toEqual({ messages: [first], outline, warnings: [warning] });
    expect((await ask(source, "/sessions/s/trace?tenantId=p")).warnings).toEqual([warning]);
    expect((await ask(source, "/sessions")).sessions).toMatchObject([{ title: `one ${shown}`, warnings: 1 }]);
  });

  it("are sent as U+FFFD from any source, in every batch", async () => {
    const batch = bytes('{"text":"@"}');
    const source = handMadeSource({
      openSession: async () =>
        handMadeSnapshot({
          messages: async () => ({
            size: 3,
            warnings: [],
            async *read() {
              for (let i = 0; i < 3; i++) {
                yield { size: 1, text: batch, start: () => 0, end: () => batch.length };
              }
            },
          }),
        }),
    });
    expect((await ask(source, "/sessions/s1/messages")).messages).toEqual(
      [1, 2, 3].map(() => ({ text: shown })),
    );
  });
});

describe("What is foreign", () => {
  it("costs nothing else in a source of arrays", async () => {
    const item = { tenantId: "t", sessionId: "s1", lastActive: at(1), turns: 0, tokens: 0, status: "idle" };
    const source = handMadeSource({
      listSessions: async () => [{ ...item, userId: 5, title: { toString: 1 } }, item] as never,
      loadTraceEnvelopes: async () => [null, "x", 4] as never,
      loadMessages: async () => [null, "x"] as never,
      loadOrchestrationEvents: async () => [],
      loadOrchestrationState: async () => ({ snapshot: { agents: {} } }) as never,
    });
    const inspector = inspect(source);
    const list = await inspector.open("/sessions?q=5");
    expect(((await list.json()) as { sessions: object[] }).sessions).toHaveLength(1);
    const trace = await inspector.open("/sessions/s1/trace");
    expect(await trace.json()).toEqual({ envelopes: [null, "x", 4] });
    expect((await inspector.ask("/sessions/s1/orchestration")).body).toEqual({ agents: [] });
    const summary = await inspector.ask("/sessions/s1/summary");
    expect(summary.body).toMatchObject({ counts: { modelCalls: 0 } });
  });
});

function unexpected(): never {
  throw new Error("unexpected");
}

describe("An unexpected error in one session", () => {
  it("costs nothing but that session of Claude Code, which stays in the list", async () => {
    const [good, bad] = ["Fine", "BROKEN"].map((text, i) => `${JSON.stringify(userRecord(i, i, text))}\n`);
    const root = await newProjects({ "p/good.jsonl": good!, "p/bad.jsonl": bad! });
    const { follower } = claudeCodeFormat;
    const spy = vi.spyOn(claudeCodeFormat, "follower").mockImplementation((recorder) => {
      const own = follower(recorder);
      return {
        follow(record, place) {
          own.follow(record, place);
          const isBroken = recorder.conversations.main.firstPrompt === "BROKEN";
          if (isBroken) Object.defineProperty(recorder, "titles", { get: unexpected });
        },
      };
    });
    try {
      const { body } = await inspect(openHistories(root)).ask("/sessions");
      const sessions = new Map(
        (body.sessions as { sessionId: string }[]).map((session) => [session.sessionId, session]),
      );
      expect(sessions.get("good")).toMatchObject({ title: "Fine", turns: 1 });
      expect(sessions.get("bad")).toMatchObject({ turns: 0, status: "idle", warnings: 1 });
    } finally {
      spy.mockRestore();
    }
  });

  it("costs nothing but that session of a data directory, which stays in the list", async () => {
    const { source, folder } = await dataDirectory({ "session.jsonl": INIT });
    await mkdir(`${folder}-broken`);
    await writeFile(path.join(`${folder}-broken`, "session.jsonl"), '{"type":"init","title":"BROKEN"}\n');
    const next = vi.spyOn(LOG_FOLD, "next").mockImplementation((log, record) => {
      if (record.title === "BROKEN") throw new Error("unexpected");
      return followLog(log, record);
    });
    try {
      const list = async () => (await inspect(source).ask("/sessions")).body.sessions;
      const good = { sessionId: "s1", userId: "ada" };
      expect(await list()).toMatchObject([{ sessionId: "s1-broken", turns: 0, warnings: 1 }, good]);
      next.mockImplementation(followLog);
      expect(await list()).toMatchObject([{ sessionId: "s1-broken", title: "BROKEN" }, good]);
    } finally {
      next.mockRestore();
    }
  });
});
