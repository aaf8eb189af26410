import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { visibleLines } from "../../src/domain/text/visible-text.js";
import { appendLines, temporaryFolder } from "../support/data-directory.js";
import { sized } from "../support/soak.js";
import { HOSTILE, writeHistories, writeLargeSession } from "./support/histories.js";
import { CLIENTS, call, callAllPages, connect, MAIN, sharedClient } from "./support/mcp-clients.js";

/** What every answer keeps to. */
const MOST_CHARACTERS = 25_000;

const TOOLS = [
  "list_sessions",
  "search",
  "usage",
  "session_summary",
  "compare_sessions",
  "trace_slice",
  "messages",
  "context_at_call",
];

const S1 = { tenantId: "acme", sessionId: "s1" };

async function folderWithHistories(sessions?: number): Promise<string> {
  const folder = await temporaryFolder();
  await writeHistories(folder, sessions);
  return folder;
}

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);

it.each(CLIENTS)("agent-inspector mcp lists its tools to a client of %s", async (_, connectClient) => {
  const { tools } = await (await connectClient(await folderWithHistories())).listTools();
  expect(tools.map(({ name }) => name)).toEqual(TOOLS);
});

describe.each(CLIENTS.slice(0, sized(1, 2)))(
  "agent-inspector mcp, for a client of %s",
  (_, connectClient) => {
    it("offers tools that say what they are for, take nothing unknown and only read", async () => {
      const client = await connectClient(await folderWithHistories());
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS);
      for (const tool of tools) {
        expect(tool).toMatchObject({
          title: expect.stringMatching(/^[A-Z]/),
          description: expect.stringMatching(/.{80}/),
          inputSchema: { type: "object", additionalProperties: false },
          annotations: { readOnlyHint: true, openWorldHint: false },
        });
        for (const [name, schema] of Object.entries(tool.inputSchema.properties as object)) {
          expect([name, schema]).toEqual([name, expect.objectContaining({ type: expect.any(String) })]);
        }
      }
      expect(client.getInstructions()).toContain("the data directory ./data");
    });

    it("answers each tool", async () => {
      const client = await connectClient(await folderWithHistories());
      expect((await call(client, "list_sessions")).json).toMatchObject({
        sessions: [
          { ...S1, title: "Apples of s1", turns: 1, tokens: 240 },
          { tenantId: "acme", sessionId: "s2" },
        ],
        nextCursor: null,
        total: 2,
      });
      expect((await call(client, "search", { query: "no such", ...S1 })).json).toMatchObject({
        hits: [
          { ...S1, in: "error", sequence: 8, toolName: "read_file", snippet: { text: "no such file" } },
          { ...S1, in: "error", messageIndex: 2, role: "user" },
        ],
        nextCursor: null,
      });
      expect((await call(client, "list_sessions", { filter: "session:s2 tokens:>200" })).json).toMatchObject({
        sessions: [{ sessionId: "s2" }],
      });
      expect((await call(client, "usage", { by: "tenant", filter: "session:s1" })).json).toMatchObject({
        total: { sessions: 1, inputTokens: 200, outputTokens: 40 },
        rows: [{ name: "acme", filter: "tenant:acme" }],
        largestSessions: [{ ...S1, tokens: 240 }],
      });
      expect((await call(client, "session_summary", S1)).json).toMatchObject({
        ...S1,
        counts: { turns: 1, modelCalls: 2, toolCalls: 1, failedToolCalls: 1 },
        total: { calls: 2, usage: { inputTokens: 200, outputTokens: 40 } },
      });
      const other = { otherTenantId: "acme", otherSessionId: "s2" };
      expect((await call(client, "compare_sessions", { ...S1, ...other, limit: 1 })).json).toMatchObject({
        sessions: [S1, { sessionId: "s2" }],
        steps: { counts: [expect.any(Number), expect.any(Number)] },
        rows: expect.any(Array),
        largest: expect.any(Array),
      });
      const { envelopes } = (await call(client, "trace_slice", { ...S1, limit: 2 })).json;
      expect(envelopes).toEqual([
        expect.objectContaining({
          id: "t1-0",
          sequence: 0,
          event: expect.objectContaining({ turnIndex: 0 }),
        }),
        expect.objectContaining({ id: "t1-2", sequence: 2 }),
      ]);
      expect((await call(client, "context_at_call", { ...S1, call: "t1-12" })).json).toMatchObject({
        call: { id: "t1-12", size: 3, source: "conversation", countedTokens: 100 },
        messages: [{ index: 0, role: "user", text: "Count the apples." }, { index: 1 }, { index: 2 }],
        nextCursor: null,
      });
      expect(
        (await call(client, "context_at_call", { ...S1, call: "t1-12", message: 2 })).json,
      ).toMatchObject({
        message: { index: 2, origin: "tool" },
        source: { by: "tool", uses: [{ name: "read_file" }] },
        firstSeen: { id: "t1-12" },
      });
      expect((await call(client, "messages", { ...S1, from: 3 })).json).toMatchObject({
        firstIndex: 3,
        messages: [{ role: "assistant" }],
        nextCursor: null,
      });
    });
  },
);

describe("the tools of agent-inspector mcp", () => {
  const shared = sharedClient(writeHistories, "data");

  it("go through a list page by page", async () => {
    const client = await connect(await folderWithHistories(5), "data");
    const sessions = await callAllPages(client, "list_sessions", "sessions", { limit: 2 });
    expect(sessions.map((session) => (session as { sessionId: string }).sessionId).sort()).toEqual([
      "s1",
      "s2",
      "s3",
      "s4",
      "s5",
    ]);
    const envelopes = await callAllPages(client, "trace_slice", "envelopes", { ...S1, limit: 4 });
    expect(envelopes.map((envelope) => (envelope as { sequence: number }).sequence)).toEqual([
      0, 2, 4, 6, 8, 10, 12, 14, 16,
    ]);
    expect(await callAllPages(client, "messages", "messages", { ...S1, limit: 3 })).toHaveLength(4);
    expect(await callAllPages(client, "search", "hits", { query: "apples", limit: 3 })).toHaveLength(20);
  });

  it("find a place in a trace by its sequence and by the id of an envelope", async () => {
    for (const place of [{ from: 7 }, { from: 8 }, { id: "t1-8" }]) {
      const { json } = await call(shared(), "trace_slice", { ...S1, ...place, limit: 1 });
      expect(json.envelopes).toMatchObject([{ sequence: 8, event: { type: "tool.end" } }]);
    }
    const unknown = await call(shared(), "trace_slice", { ...S1, id: "t1-9" });
    expect([unknown.isError, unknown.texts]).toEqual([true, ["id is of no envelope in this trace."]]);
  });

  it("tell sessions of several sources apart", async () => {
    const folder = await temporaryFolder();
    await writeHistories(`${folder}/a`, 1);
    await writeHistories(`${folder}/b`, 1);
    const client = await connect(folder, "a/data", "b/data");
    const { json } = await call(client, "list_sessions", { source: "Data directory a/data" });
    expect(json.sessions).toMatchObject([{ tenantId: expect.stringMatching(/^data-\w{8}:acme$/) }]);
    const [{ tenantId, sessionId }] = json.sessions as [{ tenantId: string; sessionId: string }];
    expect((await call(client, "messages", { tenantId, sessionId })).json.messages).toHaveLength(4);
  });

  it("give hostile text as the data that it is", async () => {
    const trace = (await call(shared(), "trace_slice", { ...S1, from: 10, limit: 1 })).json;
    expect(trace.envelopes).toMatchObject([{ event: { text: HOSTILE } }]);
    const messages = (await call(shared(), "messages", { ...S1, from: 3 })).json;
    expect(messages.messages).toMatchObject([{ content: HOSTILE }]);
    const hits = (await call(shared(), "search", { query: "Ignore all", ...S1 })).json.hits;
    expect(hits).toMatchObject([{ sequence: 10 }, { messageIndex: 3 }]);
  });

  it("name what could not be read", async () => {
    const folder = await folderWithHistories();
    await appendLines(`${folder}/data/tenants/acme/sessions/s1/trace/events.jsonl`, ["{broken", "{}"]);
    const client = await connect(folder, "data");
    const { json } = await call(client, "trace_slice", S1);
    expect(json).toMatchObject({ warnings: [{ line: 10, reason: "is not valid JSON" }], warningCount: 1 });
  });

  const MISTAKES = [
    [
      "messages",
      { sessionId: "gone" },
      'There is no session "gone" in tenant "default". list_sessions gives',
    ],
    [
      "compare_sessions",
      { ...S1, otherTenantId: "acme", otherSessionId: "gone" },
      'There is no session "gone" in tenant "acme".',
    ],
    ["session_summary", { ...S1, sessionId: "gone" }, 'There is no session "gone" in tenant "acme".'],
    ["search", { ...S1, sessionId: "gone", query: "x" }, 'There is no session "gone" in tenant "acme".'],
    ["messages", {}, "sessionId"],
    ["messages", { sessionId: "../../etc" }, "must not contain '..'"],
    ["trace_slice", { ...S1, limit: 51 }, "limit"],
    ["trace_slice", { ...S1, limit: "2" }, "limit"],
    ["trace_slice", { ...S1, sequence: 2 }, "sequence"],
    ["trace_slice", { ...S1, cursor: "bm8" }, "cursor was not issued for this list."],
    ["trace_slice", { ...S1, cursor: "bm8", from: 1 }, "from cannot be given together with cursor."],
    ["trace_slice", { ...S1, id: "t1-2", from: 1 }, "id cannot be given together with from or cursor."],
    [
      "trace_slice",
      { ...S1, from: 99, jsonFrom: 0 },
      "jsonFrom needs a record: there is none at that place.",
    ],
    ["trace_slice", { ...S1, jsonFrom: 100_000 }, "jsonFrom must be at most"],
    ["messages", { ...S1, agentId: "" }, "agentId"],
    ["context_at_call", { ...S1, call: "t1-99" }, "call names no step of this session"],
    [
      "context_at_call",
      { ...S1, call: "t1-12", message: 3 },
      "message names no message that the model call saw",
    ],
    ["context_at_call", { ...S1, call: "t1-12", item: 0 }, "item needs the message"],
    ["list_sessions", { status: "asleep" }, "status"],
    ["list_sessions", { filter: "tol:search" }, 'There is no field "tol". Is it "tool"?'],
    ["search", { query: "x", filter: "cost:" }, "filter is wrong at character 1"],
    ["usage", { by: "dy" }, "by: must be one of day,"],
    ["usage", { from: "soon" }, "from "],
    ["search", { query: "" }, "query"],
    ["search", { query: "re:(" }, "query is no regular expression of RE2's syntax"],
    ["search", { query: "x", in: ["thoughts"] }, "in: must be some of"],
    ["messages", { ...S1, agentID: "a" }, "agentID: is no argument of this tool. Did you mean 'agentId'?"],
  ] as const;

  it("say what is wrong with what they were given", async () => {
    for (const [tool, given, message] of MISTAKES) {
      const { isError, texts } = await call(shared(), tool, given);
      const said = [tool, given, isError, texts.join("\n")];
      expect(said).toEqual([tool, given, true, expect.stringContaining(message)]);
    }
  });

  it("quote what they were given so that all of it can be seen", async () => {
    const client = shared();
    const { tools } = await client.listTools();
    let mistakes = 0;
    const ask = async (name: string, given: Record<string, unknown>) => {
      const { isError, texts } = await call(client, name, given).catch((error: Error) => ({
        isError: true,
        texts: [error.message],
      }));
      for (const text of isError ? texts : [])
        expect([name, given, visibleLines(text)]).toEqual([name, given, text]);
      mistakes += Number(isError);
    };
    for (const { name, inputSchema } of tools) {
      const { required = [] } = inputSchema as { readonly required?: readonly string[] };
      const needed = Object.fromEntries(required.map((parameter) => [parameter, "s1"]));
      const parameters = Object.keys(inputSchema.properties as object);
      for (const parameter of parameters)
        await ask(name, { ...needed, tenantId: "acme", [parameter]: HOSTILE });
      await ask(name, { ...needed, [HOSTILE]: HOSTILE });
      // Ids that are none are refused by their form; this one is looked for.
      if (parameters.includes("sessionId"))
        await ask(name, { ...needed, query: "x", sessionId: "gone\u202e\u009b" });
    }
    await ask(HOSTILE, {});
    expect(mistakes).toBeGreaterThan(3 * tools.length);
  });
});

it("keeps every answer short on a large session, and gives all of a record in parts", {
  timeout: 180_000,
}, async () => {
  const folder = await temporaryFolder();
  expect((await writeLargeSession(folder)).bytes).toBeGreaterThan(sized(9_000_000, 95_000_000));
  const client = await connect(folder, "data");
  const session = { tenantId: "acme", sessionId: "large" };
  for (const [tool, given] of [
    ["list_sessions", { limit: 50 }],
    ["search", { ...session, query: "line", limit: 50 }],
    ["session_summary", session],
    ["compare_sessions", { ...session, otherTenantId: "acme", otherSessionId: "large", limit: 50 }],
    ["trace_slice", { ...session, limit: 50 }],
    ["trace_slice", { ...session, from: 490, limit: 20 }],
    ["trace_slice", { ...session, from: 500, limit: 1 }],
    ["trace_slice", { ...session, id: "t1-1000" }],
    ["trace_slice", { ...session, from: 500, jsonFrom: sized(3_000_000, 30_000_000) }],
    ["context_at_call", { ...session, call: "t1-1002" }],
    ["context_at_call", { ...session, call: "t1-1002", message: 0 }],
    ["messages", { ...session, limit: 50 }],
    ["messages", { ...session, from: 999 }],
  ] as const) {
    const { isError, texts } = await call(client, tool, given);
    expect([tool, given, isError]).toEqual([tool, given, false]);
    expect(lengthOf(texts)).toBeLessThanOrEqual(MOST_CHARACTERS);
  }
  const { json } = await call(client, "trace_slice", { ...session, from: 500, limit: 1 });
  expect(json.note).toContain("jsonFrom 0");
  expect(JSON.stringify(json.envelopes)).toMatch(/…\[\+47\d{5,6} characters\]/);

  let whole = "";
  for (let jsonFrom: unknown = 0; jsonFrom !== null; ) {
    const { texts, json } = await call(client, "messages", { ...session, from: 10, jsonFrom });
    whole += texts[1];
    jsonFrom = json.nextJsonFrom;
  }
  expect(JSON.parse(whole)).toEqual({ role: "user", content: 'a "line" of a file\n'.repeat(2_500) });
});

describe("the process of agent-inspector mcp", () => {
  const start = (folder: string, ...args: string[]) =>
    spawn(process.execPath, [MAIN, "mcp", ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
    });

  const INITIALIZE = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };

  it("writes lines of the protocol and nothing else, and ends when its client has gone", async () => {
    const child = start(await folderWithHistories(), "data", "--no-cache");
    const [stderr, exited] = [text(child.stderr), once(child, "exit")];
    let stdout = "";
    const answered = new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
        if (stdout.includes('"id":2')) resolve();
      });
    });
    const params = { name: "list_sessions", arguments: {} };
    for (const message of [INITIALIZE, { jsonrpc: "2.0", id: 2, method: "tools/call", params }]) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    }
    await answered;
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
    expect(await stderr).toBe("");
    for (const line of stdout.trimEnd().split("\n"))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends cleanly on %s", async (signal) => {
    const child = start(await folderWithHistories(), "data", "--no-cache");
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    await once(child.stdout, "data");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("says where it looked and ends where there are no histories: it shows no demo", async () => {
    const child = start(await temporaryFolder());
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^error: No histories were found\.\nLooked for:\n( {2}.*\n)+Name a folder .*\n$/);
  });
});
