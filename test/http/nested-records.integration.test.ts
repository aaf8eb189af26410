import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { createCodexDataSource } from "../../src/codex.js";
import { createGeminiCliDataSource } from "../../src/gemini-cli.js";
import type { InspectorDataSource } from "../../src/index.js";
import { at, newProjects, uuid } from "../claude-code/support/projects.js";
import * as codex from "../codex/support/homes.js";
import * as gemini from "../gemini-cli/support/homes.js";
import { temporaryFolder } from "../support/data-directory.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { inspect } from "../support/inspector.js";
import { pools } from "../support/pools.js";
import { sized } from "../support/soak.js";

/** More than the stack of the event loop holds, and more than that of a thread, which is four times as large. */
const DEPTHS = [40_000, 5_000].slice(0, sized(1, 2));

/** Formats use the reader of the data directory: in a soak alone. */
const MORE_DEPTHS = DEPTHS.slice(0, sized(0, 2));

function nested(depth: number): string {
  return `${"[".repeat(depth / 2)}${'{"a":'.repeat(depth / 2)}1${"}".repeat(depth / 2)}${"]".repeat(depth / 2)}`;
}

interface Envelope {
  readonly id: string;
  readonly event: { readonly type: string; readonly agentId?: string };
}

async function askAll(source: InspectorDataSource, sessionId: string, tenantId: string) {
  const inspector = inspect(source);
  const texts: string[] = [];
  const of = `/sessions/${sessionId}`;
  const session = `tenantId=${tenantId}`;
  for (const list of ["trace", "messages", "orchestration"]) {
    const answer = await inspector.open(`${of}/${list}?${session}`);
    expect(answer.status, list).toBe(200);
    texts.push(await answer.text());
    JSON.parse(texts.at(-1)!);
  }
  const bodyOf = async (address: string) => {
    const { status, body } = await inspector.ask(address);
    expect(status, address).toBe(200);
    return body;
  };
  const { envelopes } = JSON.parse(texts[0]!) as { readonly envelopes: readonly Envelope[] };
  const isOwnCall = ({ event }: Envelope) => event.type === "llm.start" && event.agentId === undefined;
  const call = `call=${envelopes.find(isOwnCall)!.id}&${session}`;
  const hits: unknown[] = [];
  for (let cursor: unknown = ""; cursor !== null; ) {
    const found = await bodyOf(`/search?q=apple${cursor && `&cursor=${cursor}`}`);
    hits.push(...(found.hits as unknown[]));
    cursor = found.nextCursor;
  }
  const answers = {
    sessions: (await bodyOf("/sessions")).sessions,
    hits,
    summary: await bodyOf(`${of}/summary?${session}`),
    context: await bodyOf(`${of}/context?${call}`),
    provenance: await bodyOf(`${of}/provenance?message=0&${call}`),
    compared: await bodyOf(
      `/compare?sessionId=${sessionId}&${session}&otherSessionId=${sessionId}&other${session.replace("t", "T")}`,
    ),
  };
  expect(inspector.failures).toEqual([]);
  return { trace: texts[0]!, messages: texts[1]!, agents: texts[2]!, ...answers };
}

const READ = {
  hits: [expect.anything()],
  summary: { counts: { turns: 1 } },
  context: { messages: [{ text: expect.stringContaining("apple") }] },
  provenance: { source: { by: "person" } },
};

/** Replaces each `DEEP`, also inside of a JSON string. */
const DEEP = "@deep@";
function deepened(records: string, deep: string): string {
  return records
    .replaceAll(JSON.stringify(DEEP), deep)
    .replaceAll(JSON.stringify(JSON.stringify(DEEP)).slice(1, -1), JSON.stringify(deep).slice(1, -1));
}

/** Each has one innermost object. */
function count(text: string): number {
  return text.split('{"a":1}').length - 1;
}

describe.each(pools().slice(0, sized(1, 2)))("Records that are nested deep, read %s", (_, pool) => {
  it.each(DEPTHS)("cost nothing of a data directory: %d levels", async (depth) => {
    const dataDir = await temporaryFolder();
    const folder = path.join(dataDir, "tenants/acme/sessions/s1");
    const deep = nested(depth);
    const envelope = `"source":"runtime","sessionId":"s1","tenantId":"acme","traceId":"t"`;
    const files = {
      "session.jsonl": [
        `{"type":"init","userId":${deep},"title":"Deep"}`,
        `{"type":"turn","inputTokens":5,"x":${deep}}`,
      ],
      "messages.jsonl": [
        `{"role":"user","content":["Count the apples.",${deep}]}`,
        `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"look","input":${deep}}]}`,
        `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[${deep}]}]}`,
      ],
      "trace/events.jsonl": [
        `"type":"x","deep":${deep}`,
        `"type":"turn.start","turnIndex":0,"input":${deep}`,
        `"type":"llm.start","callId":"c1","model":"m","request":{"tools":${deep}}`,
        `"type":"llm.end","callId":"c1","usage":{"inputTokens":5},"output":${deep}`,
        `"type":"tool.start","toolCallId":"t1","toolName":"look","input":${deep}`,
        `"type":"tool.end","toolCallId":"t1","output":${deep},"isError":true`,
        `"type":"error","error":${deep}`,
      ].map(
        (event, i) => `{"id":"e${i}","timestamp":"${at(i)}","sequence":${i},${envelope},"event":{${event}}}`,
      ),
      "orchestration/events.jsonl": [
        `{"eventId":"e1","type":"agent_spawned","agent":{"id":"a1","deep":${deep}}}`,
        `{"eventId":"e2","type":"agent_job_completed","agentId":"a1","job":{"jobId":"j1","deep":${deep}}}`,
      ],
      "orchestration/checkpoint.json": [
        `{"lastEventId":"e1","agents":{"a1":{"id":"a1"},"a2":{"id":"a2","lastJob":{"jobId":"j2","deep":${deep}}}}}`,
      ],
    };
    for (const [name, lines] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), lines.map((line) => `${line}\n`).join(""));
    }
    const source = createFilesystemInspectorDataSource(dataDir, { pool });
    const { trace, messages, agents, sessions, ...read } = await askAll(source, "s1", "acme");
    expect(count(trace)).toBe(9);
    expect(count(messages)).toBe(3);
    expect(count(agents)).toBe(2);
    expect(sessions).toMatchObject([{ sessionId: "s1", title: "Deep", tokens: 5 }]);
    expect(read).toMatchObject(READ);
  });

  it.each(MORE_DEPTHS)("cost nothing of a Claude Code history: %d levels", async (depth) => {
    const deep = nested(depth);
    const record = (i: number, type: string, more: string) =>
      `{"type":"${type}","uuid":"${uuid(i)}","timestamp":"${at(i)}",${more}}\n`;
    const result = `{"type":"tool_result","tool_use_id":"t1","content":${deep}}`;
    const lines = [
      record(1, "user", `"message":{"role":"user","content":"Count the apples.","x":${deep}},"y":${deep}`),
      record(
        2,
        "assistant",
        `"message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":${deep}},${deep}]}`,
      ),
      record(
        3,
        "user",
        `"message":{"content":[${result}]},"toolUseResult":{"agentId":"a1","totalTokens":${deep}}`,
      ),
      record(4, "novelty", `"deep":${deep}`),
      record(
        5,
        "progress",
        `"data":{"type":"agent_progress","agentId":"a2","message":{"type":"user","message":{"content":${deep}}}}`,
      ),
    ];
    const root = await newProjects({
      "p/s.jsonl": lines.join(""),
      "p/s/subagents/agent-a1.jsonl": record(6, "assistant", `"message":{"id":"m2","content":${deep}}`),
      "p/s/subagents/agent-a1.meta.json": '{"agentType":"reader"}',
    });
    const { trace, messages, agents, sessions, ...read } = await askAll(
      createClaudeCodeDataSource(root, { pool }),
      "s",
      "p",
    );
    expect(read).toMatchObject(READ);
    expect(count(trace)).toBeGreaterThanOrEqual(8);
    expect(count(messages)).toBe(4);
    expect(agents).toContain('"role":"reader"');
    expect(count(agents)).toBe(1);
    expect(sessions).toMatchObject([{ sessionId: "s", turns: 1 }]);
  });

  it.each(MORE_DEPTHS)("cost nothing of a Codex history: %d levels", async (depth) => {
    const records = codex.lines([
      codex.meta("a", { git: DEEP }),
      ...codex.prompted("Count the apples."),
      codex.item("reasoning", { summary: DEEP, content: [DEEP] }),
      codex.called("c1", "look", { deep: DEEP }),
      codex.item("function_call_output", { call_id: "c1", output: [DEEP] }),
      codex.event("exec_command_end", { call_id: "c1", duration: { secs: 1, nanos: DEEP }, result: DEEP }),
      codex.event("token_count", {
        info: { total_token_usage: { total_tokens: 9, input_tokens: 9 } },
        rate_limits: DEEP,
      }),
      codex.item("message", { role: "assistant", content: [{ type: "output_text", text: "Two." }, DEEP] }),
      codex.event("novelty", { deep: DEEP }),
    ]);
    const home = await codex.newHome({ [codex.rolloutOf("a")]: deepened(records, nested(depth)) });
    const source = createCodexDataSource(home, { pool });
    const { trace, messages, sessions, ...read } = await askAll(source, "a", codex.TENANT);
    expect(count(trace)).toBeGreaterThanOrEqual(7);
    expect(count(messages)).toBe(4);
    expect(sessions).toMatchObject([{ sessionId: "a", turns: 1 }]);
    expect(read).toMatchObject(READ);
  });

  it.each(MORE_DEPTHS)("cost nothing of a Gemini CLI history: %d levels", async (depth) => {
    const id = {
      id: DEEP,
      name: DEEP,
      result: [{ functionResponse: { id: DEEP, name: DEEP, response: { output: "2" } } }],
    };
    const records = gemini.lines(
      gemini.header("s"),
      gemini.user("u", 1, "Count the apples.", { content: [{ text: "Count the apples." }, DEEP] }),
      gemini.gemini("g", 2, "Two.", {
        content: ["Two.", DEEP],
        thoughts: [DEEP],
        toolCalls: [gemini.toolCall("t", 3, "2", id)],
      }),
      gemini.gemini("g", 4, "Two.", {
        tokens: { input: 5, deep: DEEP },
        toolCalls: [gemini.toolCall("t", 3, "2", { args: DEEP })],
      }),
      { $set: { deep: DEEP } },
    );
    const home = await gemini.newHome({ "tmp/shop/chats/session-s.jsonl": deepened(records, nested(depth)) });
    const source = createGeminiCliDataSource(home, { pool });
    const { trace, messages, sessions, ...read } = await askAll(source, "s", "shop");
    expect(count(trace)).toBeGreaterThanOrEqual(7);
    expect(count(messages)).toBeGreaterThanOrEqual(3);
    expect(sessions).toMatchObject([{ sessionId: "s", turns: 1 }]);
    expect(read).toMatchObject(READ);
  });
});

it.each(DEPTHS)("Records of arrays are nested %d deep", async (depth) => {
  const deep = nested(depth);
  const message = { role: "user", content: JSON.parse(deep) as unknown };
  const source = handMadeSource({ loadMessages: async () => [message] });
  const answer = await inspect(source).open("/sessions/s1/messages");
  expect(await answer.text()).toBe(`{"messages":[{"role":"user","content":${deep}}]}`);
});
