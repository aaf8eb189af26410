import { appendFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource, scopeToTenants } from "../../src/advanced.js";
import type { RecordStream } from "../../src/application/ports/record-stream.js";
import type { InspectorDataSource } from "../../src/index.js";
import { assistantRecord, newProjects, openHistories, userRecord } from "../claude-code/support/projects.js";
import * as codex from "../codex/support/homes.js";
import * as gemini from "../gemini-cli/support/homes.js";
import { Follower } from "../support/follower.js";
import { type Inspector, inspect } from "../support/inspector.js";
import { at, envelope, orchestrationEvent, SAMPLE } from "../support/sample.js";
import { appendLines, filesystemSource, fiveMethods, writeDataDir } from "../support/sources.js";

const SESSION = { tenantId: "acme", sessionId: "s1" };
const TRACE = "/sessions/s1/trace?tenantId=acme";
const MESSAGES = "/sessions/s1/messages?tenantId=acme";
const AGENTS = "/sessions/s1/orchestration?tenantId=acme";

interface Growing {
  readonly source: InspectorDataSource;
  add(list: "trace" | "orchestration" | "messages", ...records: object[]): Promise<void>;
}

const GROWING: readonly (readonly [string, () => Promise<Growing>])[] = [
  ["memory", async () => inMemory((source) => source)],
  ["five methods", async () => inMemory(fiveMethods)],
  [
    "a data directory",
    async () => {
      const dataDir = await writeDataDir(SAMPLE);
      const files = {
        trace: "trace/events.jsonl",
        orchestration: "orchestration/events.jsonl",
        messages: "messages.jsonl",
      };
      return {
        source: filesystemSource(dataDir),
        add: (list, ...records) => {
          const texts = records.map((record) => JSON.stringify(record));
          return appendLines(dataDir, SESSION.tenantId, SESSION.sessionId, files[list], texts);
        },
      };
    },
  ],
];

function inMemory(as: (source: InspectorDataSource) => InspectorDataSource): Growing {
  const source = createInMemoryInspectorDataSource(SAMPLE);
  const { sessionStore } = source;
  return {
    source: as(source),
    add(list, ...records) {
      if (list === "trace") return sessionStore.appendTraceEnvelopes(SESSION, records as never[]);
      if (list === "messages") return sessionStore.appendMessages(SESSION, records as never[]);
      return sessionStore.appendOrchestrationEvents(SESSION, records as never[]);
    },
  };
}

function followersOf(inspector: Inspector, session = "s1", tenantId = "acme"): Follower[] {
  const of = `/sessions/${session}`;
  return [
    new Follower(inspector, `${of}/trace?tenantId=${tenantId}`, "envelopes"),
    new Follower(inspector, `${of}/messages?tenantId=${tenantId}`, "messages"),
    new Follower(inspector, `${of}/orchestration?tenantId=${tenantId}`, "agents"),
  ];
}

describe.each(GROWING)("What came after an earlier answer, from %s,", (_, open) => {
  it("is what was added, where nothing else has changed", async () => {
    const { source, add } = await open();
    const messages = new Follower(inspect(source), MESSAGES, "messages");
    await messages.follow();
    expect([messages.kept, messages.sent]).toEqual([0, 3]);
    await messages.follow();
    expect([messages.kept, messages.sent]).toEqual([3, 0]);
    await add("messages", { role: "user", content: "And now?" }, { role: "assistant", content: "Now." });
    await messages.follow();
    expect([messages.kept, messages.sent]).toEqual([3, 2]);
  });

  it("names the orchestration events that lie behind the runtime events that were added", async () => {
    const { source, add } = await open();
    const trace = new Follower(inspect(source), TRACE, "envelopes");
    await trace.follow();
    await add("trace", envelope(4));
    await trace.follow();
    expect([trace.kept, trace.sent]).toEqual([7, 1]);
    await add("orchestration", orchestrationEvent(4, { type: "agent_spawned", agent: { id: "a2" } }));
    await trace.follow();
    expect([trace.kept, trace.sent]).toEqual([8, 1]);
    await add("trace", envelope(5), envelope(6));
    await add("orchestration", orchestrationEvent(5, { type: "agent_closed", close: { agentId: "a2" } }));
    await trace.follow();
    expect([trace.kept, trace.sent]).toEqual([9, 3]);
  });

  it("begins where an envelope came in between, or where the list is numbered anew", async () => {
    const { source, add } = await open();
    const trace = new Follower(inspect(source), TRACE, "envelopes");
    for (let i = 4; i < 60; i++) await add("trace", envelope(i));
    await trace.follow();
    await add("trace", envelope(0, { traceId: "t2", timestamp: at(50.5) }));
    await trace.follow();
    expect(trace.kept).toBe(3); // all sequences change, and the orchestration events move to the end
    await add("trace", envelope(1, { traceId: "t2", timestamp: at(57.5) }));
    await trace.follow();
    expect(trace.kept).toBeGreaterThan(30);
    await add("orchestration", orchestrationEvent(0, { type: "agent_spawned", agent: { id: "a0" } }));
    await trace.follow();
    expect(trace.kept).toBe(62);
  });

  it("is each agent from the first one that changed", async () => {
    const { source, add } = await open();
    const agents = new Follower(inspect(source), AGENTS, "agents");
    const spawned = (n: number) =>
      orchestrationEvent(10 + n, { type: "agent_spawned", agent: { id: `b${n}` } });
    await add("orchestration", ...Array.from({ length: 20 }, (_, n) => spawned(n)));
    await agents.follow();
    await add("orchestration", orchestrationEvent(40, { type: "agent_closed", close: { agentId: "b19" } }));
    await agents.follow();
    expect([agents.kept, agents.sent]).toEqual([20, 1]);
  });

  it("is refused for a token that was not issued for the list, and beside a page", async () => {
    const { source } = await open();
    const inspector = inspect(source);
    const { syncToken } = (await inspector.ask(`${TRACE}&since=`)).body;
    const { nextCursor } = (await inspector.ask(`${TRACE}&limit=1`)).body;
    const place = (text: string) => Buffer.from(`00000000${text}`).toString("base64url");
    for (const path of [
      `${MESSAGES}&since=${syncToken}`,
      `/sessions/s1/trace?tenantId=beta&since=${syncToken}`,
      `${TRACE}&since=${nextCursor}`,
      `${TRACE}&cursor=${syncToken}`,
      `${TRACE}&since=${String(syncToken).slice(0, -1)}`,
      `${TRACE}&since=${place("9.0000000000000000")}`,
      `${TRACE}&since=__proto__`,
      `${TRACE}&since=${"A".repeat(4_000)}`,
      `${TRACE}&since=${syncToken}&since=${syncToken}`,
      `${TRACE}&since=${syncToken}&limit=10`,
      `${AGENTS}&since=1`,
    ]) {
      expect([path, (await inspector.ask(path)).status]).toEqual([path, 400]);
    }
    expect(inspector.failures).toEqual([]);
  });

  it("is the whole list for a token of before another history took the place", async () => {
    const { source } = await open();
    const other = await open();
    await other.add("messages", { role: "user", content: "another" });
    const of = inspect(source);
    const { syncToken } = (await of.ask(`${MESSAGES}&since=`)).body;
    const { body } = await inspect(other.source).ask(`${MESSAGES}&since=${syncToken}`);
    const whole = await inspect(other.source).ask(MESSAGES);
    expect([...SAMPLE[0]!.messages!.slice(0, Number(body.from)), ...(body.messages as [])]).toEqual(
      whole.body.messages,
    );
  });
});

describe("A source without fingerprints", () => {
  it("is answered whole, with no token", async () => {
    const source = createInMemoryInspectorDataSource(SAMPLE);
    const plain: InspectorDataSource = {
      ...fiveMethods(source),
      async openSession(...of) {
        const session = await source.openSession!(...of);
        return session && { ...session, messages: async () => withoutFingerprints(await session.messages()) };
      },
    };
    const { body } = await inspect(plain).ask(`${MESSAGES}&since=`);
    expect(body).toMatchObject({ from: 0, syncToken: null });
    const follower = new Follower(inspect(plain), MESSAGES, "messages");
    await follower.follow();
    await source.sessionStore.appendMessages(SESSION, [{ role: "user", content: "more" }]);
    await follower.follow();
    expect([follower.kept, follower.sent]).toEqual([0, 4]);
  });
});

function withoutFingerprints({ size, warnings, ...stream }: RecordStream): RecordStream {
  return { size, warnings, read: (...of) => stream.read(...of) };
}

describe("A data directory whose files do more than grow", () => {
  const messagesFile = (dataDir: string) => path.join(dataDir, "tenants/acme/sessions/s1/messages.jsonl");

  it("is answered whole where a conversation was compacted, rewritten or replaced", async () => {
    const dataDir = await writeDataDir(SAMPLE);
    const file = messagesFile(dataDir);
    const messages = new Follower(inspect(filesystemSource(dataDir)), MESSAGES, "messages");
    await messages.follow();
    await writeFile(file, '{"role":"user","content":"Summary: all was said."}\n');
    await messages.follow();
    expect([messages.kept, messages.sent]).toEqual([0, 1]);
    await appendFile(file, '{"role":"user","content":"On."}\n');
    await messages.follow();
    expect([messages.kept, messages.sent]).toEqual([1, 1]);
    const replaced = `${file}.new`;
    await writeFile(replaced, (await readFile(file, "utf8")).replace("all", "ALL"));
    await rename(replaced, file);
    await messages.follow();
    expect(messages.kept).toBe(0);
    await rm(file);
    await messages.follow();
    expect(messages.records).toEqual([]);
  });

  it("takes a last line without its line feed for what it is", async () => {
    const dataDir = await writeDataDir(SAMPLE);
    const file = messagesFile(dataDir);
    const messages = new Follower(inspect(filesystemSource(dataDir)), MESSAGES, "messages");
    for (const part of ['{"role":"us', 'er","content":"a"}', '{"role":"user","content":"b"}', '\n{"c":1']) {
      await appendFile(file, part);
      await messages.follow();
    }
    expect(messages.records).toHaveLength(5);
  });

  it("keeps a client's records within the scope of the caller", async () => {
    const { source } = await GROWING[2]![1]();
    const { syncToken } = (await inspect(source).ask(`${TRACE}&since=`)).body;
    const scoped = inspect(scopeToTenants(source, ["beta"]));
    expect((await scoped.ask(`${TRACE}&since=${syncToken}`)).status).toBe(404);
  });
});

describe("Sessions of another tool that grow", () => {
  it("are followed line by line: a Claude Code session with its sub-agents", async () => {
    const samples = path.resolve(import.meta.dirname, "../claude-code/fixtures/samples/-home-ada-bookshop");
    const session = "b0000003-0000-4000-8000-000000000000";
    const agents = ["a91c0de", "b72e4f1", "c38d5a2"].map((id) => `${session}/subagents/agent-${id}.jsonl`);
    await followed("p", session, samples, [`${session}.jsonl`, ...agents], newProjects, openHistories);
  });

  it("are sent again from the record that a later line changes", async () => {
    const root = await newProjects({ "p/s.jsonl": "" });
    const file = path.join(root, "p/s.jsonl");
    const followers = followersOf(inspect(openHistories(root)), "s", "p");
    const add = async (...records: object[]) => {
      await appendFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      for (const follower of followers) await follower.follow();
    };
    const answer = (n: number, more = {}) =>
      assistantRecord(n, n, `m${n}`, [{ type: "text", text: `${n}` }], more);
    await add(userRecord(0, 0, "Go."));
    for (let n = 1; n < 40; n++) await add(answer(n));
    const trace = followers[0]!;
    const { length } = trace.records;
    // Another line of the last model call, with more tokens: its end moves after the line, and counts them.
    await add(assistantRecord(99, 39, "m39", [{ type: "text", text: "more" }], { outputTokens: 70 }));
    expect(trace.kept).toBeGreaterThan(length - 8);
    expect(trace.records.join()).toContain('"outputTokens":70');
  });

  it("are followed line by line: a Codex thread", async () => {
    const thread = "019b0000-0000-7000-8000-000000000001";
    const name = codex.rolloutOf(thread);
    const home = await codex.newHome();
    const followers = followersOf(inspect(codex.openHome(home)), thread, codex.TENANT);
    const records = [
      codex.meta(thread),
      codex.started("t1"),
      ...codex.prompted("Count the files."),
      codex.called("c1", "shell", { command: ["ls"] }),
      codex.answered("c1", "3 files"),
      codex.counted(100, 10, 5),
      codex.said("assistant", "There are three."),
      codex.counted(220, 100, 12),
      codex.completed("t1"),
    ];
    for (let count = 1; count <= records.length; count++) {
      await codex.writeFiles(home, { [name]: codex.lines(records.slice(0, count)) });
      for (const follower of followers) await follower.follow();
    }
    expect(followers[0]!.records.length).toBeGreaterThan(records.length);
    expect(followers[0]!.kept).toBeGreaterThan(5);
  });

  it("are followed message by message: a Gemini CLI session that is written anew each time", async () => {
    const home = await gemini.newHome();
    const followers = followersOf(inspect(gemini.openHistories(home)), "s1", "p");
    const folder = path.join(home, "tmp/p/chats");
    await mkdir(folder, { recursive: true });
    const messages: object[] = [];
    for (let n = 0; n < 20; n++) {
      messages.push(
        n % 2 === 0 ? gemini.user(`u${n}`, n, `Ask ${n}`) : gemini.gemini(`g${n}`, n, `Say ${n}`),
      );
      const text = gemini.document(gemini.header("s1"), messages, { summary: `of ${n}` });
      await writeFile(path.join(folder, "session-1.json"), text);
      for (const follower of followers) await follower.follow();
    }
    // The former last element now has other white space after it.
    expect(followers[1]!.kept).toBe(18);
    expect(followers[0]!.kept).toBeGreaterThan(20);
  });
});

async function followed(
  tenantId: string,
  session: string,
  from: string,
  files: readonly string[],
  newFolder: () => Promise<string>,
  open: (folder: string) => InspectorDataSource,
): Promise<void> {
  const root = await newFolder();
  const lines = await Promise.all(
    files.map(async (file) => (await readFile(path.join(from, file), "utf8")).trimEnd().split("\n")),
  );
  const followers = followersOf(inspect(open(root)), session, tenantId);
  let kept = 0;
  for (let turn = 0; turn < Math.max(...lines.map(({ length }) => length)); turn++) {
    for (const [i, file] of files.entries()) {
      const line = lines[i]![turn];
      if (line === undefined) continue;
      const copy = path.join(root, tenantId, file);
      await mkdir(path.dirname(copy), { recursive: true });
      await appendFile(copy, `${line}\n`);
      for (const follower of followers) await follower.follow();
      kept += followers[0]!.kept;
    }
  }
  expect(kept).toBeGreaterThan(0);
}
