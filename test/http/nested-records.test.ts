import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import type { InspectorDataSource } from "../../src/index.js";
import { at, newProjects, uuid } from "../claude-code/support/projects.js";
import { temporaryFolder } from "../support/data-directory.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { inspect } from "../support/inspector.js";
import { pools } from "../support/pools.js";

const DEPTHS = [5_000, 100_000];

function nested(depth: number): string {
  return `${"[".repeat(depth / 2)}${'{"a":'.repeat(depth / 2)}1${"}".repeat(depth / 2)}${"]".repeat(depth / 2)}`;
}

/** The four lists, each of which has to be there. */
async function askAll(source: InspectorDataSource, sessionId: string, tenantId: string) {
  const inspector = inspect(source);
  const texts: string[] = [];
  for (const list of ["trace", "messages", "orchestration"]) {
    const answer = await inspector.open(`/sessions/${sessionId}/${list}?tenantId=${tenantId}`);
    expect(answer.status, list).toBe(200);
    texts.push(await answer.text());
    JSON.parse(texts.at(-1)!);
  }
  const { body } = await inspector.ask("/sessions");
  expect(inspector.failures).toEqual([]);
  return { trace: texts[0]!, messages: texts[1]!, agents: texts[2]!, sessions: body.sessions };
}

/** How many of them are in a text: each has one innermost object. */
function count(text: string): number {
  return text.split('{"a":1}').length - 1;
}

/** A data directory with one session of these files, each of lines. */
async function directoryWith(files: { readonly [name: string]: readonly string[] }): Promise<string> {
  const dataDir = await temporaryFolder();
  for (const [name, lines] of Object.entries(files)) {
    const file = path.join(dataDir, "tenants/acme/sessions/s1", name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, lines.map((line) => `${line}\n`).join(""));
  }
  return dataDir;
}

describe.each(pools())("Records that are nested deep, read %s", (_, pool) => {
  it.each(DEPTHS)("cost nothing of a data directory: %d levels", async (depth) => {
    const deep = nested(depth);
    const envelope = `"source":"runtime","sessionId":"s1","tenantId":"acme","traceId":"t"`;
    const files = {
      "session.jsonl": [
        `{"type":"init","userId":${deep},"title":"Deep"}`,
        `{"type":"turn","inputTokens":5,"x":${deep}}`,
      ],
      "messages.jsonl": [`{"role":"user","content":${deep}}`],
      "trace/events.jsonl": [0, 1].map(
        (i) =>
          `{"id":"e${i}","timestamp":"${at(i)}","sequence":0,${envelope},"event":{"type":"x","deep":${deep}}}`,
      ),
      "orchestration/events.jsonl": [
        `{"eventId":"e1","type":"agent_spawned","agent":{"id":"a1","deep":${deep}}}`,
        `{"eventId":"e2","type":"agent_job_completed","agentId":"a1","job":{"jobId":"j1","deep":${deep}}}`,
      ],
      "orchestration/checkpoint.json": [
        `{"lastEventId":"e1","agents":{"a1":{"id":"a1"},"a2":{"id":"a2","lastJob":{"jobId":"j2","deep":${deep}}}}}`,
      ],
    };
    const source = createFilesystemInspectorDataSource(await directoryWith(files), { pool });
    const { trace, messages, agents, sessions } = await askAll(source, "s1", "acme");
    expect(count(trace)).toBe(4);
    expect(count(messages)).toBe(1);
    expect(count(agents)).toBe(2);
    expect(sessions).toMatchObject([{ sessionId: "s1", title: "Deep", tokens: 5 }]);
  });

  it("are summarised, and seen by calls", async () => {
    const deep = nested(20_000);
    const text = JSON.stringify(deep);
    const events = [
      `"type":"llm.start","callId":"c","messages":[{"role":"user","content":${deep}}]`,
      `"type":"tool.start","toolCallId":"t","toolName":"T","input":${deep}`,
      `"type":"tool.end","toolCallId":"t","toolName":"T","output":${deep},"error":${deep},"isError":true`,
      `"type":"llm.end","callId":"c","output":"Done."`,
      `"type":"llm.start","callId":"d","gen_ai.input.messages":"[{\\"role\\":\\"user\\",\\"content\\":${deep.replaceAll('"', '\\"')}}]"`,
    ];
    const call = `{"role":"assistant","tool_calls":[{"id":"t","function":{"name":"T","arguments":${text}}}]}`;
    const files = {
      "session.jsonl": ['{"type":"init"}'],
      "messages.jsonl": [`{"role":"user","content":${deep}}`, call],
      "trace/events.jsonl": events.map(
        (event, i) =>
          `{"id":"e${i}","timestamp":"${at(i)}","sequence":${i},"source":"runtime","traceId":"t","event":{${event}}}`,
      ),
    };
    const inspector = inspect(createFilesystemInspectorDataSource(await directoryWith(files), { pool }));
    const ask = async (path: string) => (await inspector.ask(`${path}tenantId=acme`)).body;
    expect(await ask("/sessions/s1/summary?")).toMatchObject({ counts: { modelCalls: 2, toolCalls: 1 } });
    for (const id of ["e0", "e4"]) {
      const { messages } = await ask(`/sessions/s1/context?call=${id}&`);
      expect(messages).toMatchObject([{ role: "user", text: expect.stringContaining("[") }]);
      const seen = await ask(`/sessions/s1/provenance?call=${id}&message=0&`);
      expect(seen).toHaveProperty("firstSeen");
    }
    expect(inspector.failures).toEqual([]);
  });

  it.each(DEPTHS)("cost nothing of a Claude Code history: %d levels", async (depth) => {
    const deep = nested(depth);
    const record = (i: number, type: string, more: string) =>
      `{"type":"${type}","uuid":"${uuid(i)}","timestamp":"${at(i)}",${more}}\n`;
    const result = `{"type":"tool_result","tool_use_id":"t1","content":${deep}}`;
    const lines = [
      record(1, "user", `"message":{"role":"user","content":"Go","x":${deep}},"y":${deep}`),
      record(
        2,
        "assistant",
        `"message":{"id":"m","content":[{"type":"tool_use","id":"t1","name":"Task","input":${deep}},${deep}]}`,
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
    const { trace, messages, agents, sessions } = await askAll(
      createClaudeCodeDataSource(root, { pool }),
      "s",
      "p",
    );
    expect(count(trace)).toBeGreaterThanOrEqual(8);
    expect(count(messages)).toBe(4);
    expect(agents).toContain('"role":"reader"');
    expect(count(agents)).toBe(1);
    expect(sessions).toMatchObject([{ sessionId: "s", turns: 1 }]);
  });
});

it.each(DEPTHS)("Records of arrays are nested %d deep", async (depth) => {
  const deep = nested(depth);
  const message = { role: "user", content: JSON.parse(deep) as unknown };
  const source = handMadeSource({ loadMessages: async () => [message] });
  const answer = await inspect(source).open("/sessions/s1/messages");
  expect(await answer.text()).toBe(`{"messages":[{"role":"user","content":${deep}}]}`);
});
