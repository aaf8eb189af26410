import { open } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { GetSessionMessages } from "../../src/application/questions/get-session-messages.js";
import { GetSessionTrace } from "../../src/application/questions/get-session-trace.js";
import type { JsonList } from "../../src/application/questions/json-list.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { traceOf } from "../support/snapshots.js";
import { sized } from "../support/soak.js";
import { assistantRecord, lines, newProjects, userRecord } from "./support/projects.js";

const TURNS = sized(500, 10_000);

/** About 10 kB a turn. */
async function writeLargeSession(root: string): Promise<number> {
  const file = await open(path.join(root, "p/large.jsonl"), "w");
  const output = "a line of a file that the agent read\n".repeat(270);
  for (let turn = 0; turn < TURNS; turn++) {
    const number = turn * 10;
    await file.write(
      lines(
        userRecord(number, number, `Prompt ${turn}`),
        assistantRecord(number + 1, number + 1, `a${turn}`, [
          { type: "tool_use", id: `t${turn}`, name: "Read" },
        ]),
        userRecord(number + 2, number + 2, [
          { type: "tool_result", tool_use_id: `t${turn}`, content: output },
        ]),
        assistantRecord(number + 3, number + 3, `b${turn}`, [{ type: "text", text: `Answer ${turn}` }]),
      ),
    );
  }
  const { size } = await file.stat();
  await file.close();
  return size;
}

async function firstText(list: JsonList): Promise<unknown[]> {
  for await (const text of list.texts) return JSON.parse(`[${Buffer.from(text).toString()}]`) as unknown[];
  return [];
}

it("a large session opens: in the list, and a window of its trace and of its messages", {
  timeout: 180_000,
}, async () => {
  const root = await newProjects({ "p/large.jsonl": "" });
  expect(await writeLargeSession(root)).toBeGreaterThan(TURNS * 10_000);
  const source = createClaudeCodeDataSource(root);
  expect((await source.listSessions())[0]).toMatchObject({ turns: TURNS, tokens: TURNS * 4 });

  const request = { tenantId: "p", sessionId: "large", window: { limit: 5 } };
  const trace = (await new GetSessionTrace(source).execute(request)) as JsonList;
  expect(await firstText(trace)).toMatchObject([
    { sequence: 0, event: { type: "session.start" } },
    { sequence: 1, event: { type: "turn.start", input: "Prompt 0" } },
    { sequence: 2, event: { type: "llm.start" } },
    { sequence: 3, event: { type: "llm.end" } },
    { sequence: 4, event: { type: "tool.start", toolCallId: "t0" } },
  ]);
  const stream = await traceOf(source, "p", "large");
  expect(stream.size).toBe(1 + TURNS * 9);
  for await (const batch of stream.read({ from: stream.size - 1, to: stream.size }))
    expect(JSON.parse(Buffer.from(batch.text).toString())).toMatchObject({
      event: { type: "turn.end", turnIndex: TURNS - 1 },
    });

  const messages = (await new GetSessionMessages(source).execute(request)) as JsonList;
  expect(await firstText(messages)).toHaveLength(5);
});
