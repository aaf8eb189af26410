import { chmod } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import type { OrchestrationAgent } from "../../src/domain/trace/orchestration.js";
import { listAgents } from "../../src/domain/trace/orchestration.js";
import { mergeTrace } from "../support/merge-trace.js";
import { withoutPrivileges } from "../support/privileges.js";
import { traceOf } from "../support/snapshots.js";
import { at, FIXTURES, lines, newProjects, openHistories, userRecord } from "./support/projects.js";

const SHOP = "aaaaaaaa-0000-4000-8000-000000000001";
const BESIDE = "bbbbbbbb-0000-4000-8000-000000000002";
const INLINE = "cccccccc-0000-4000-8000-000000000003";
const PROGRESS = "dddddddd-0000-4000-8000-000000000004";

const source = openHistories(FIXTURES);

async function agentsOf(sessionId: string, from = source): Promise<OrchestrationAgent[]> {
  const state = await from.loadOrchestrationState("shop", sessionId);
  return runToEnd(listAgents(state!.snapshot, await from.loadOrchestrationEvents("shop", sessionId)));
}

describe("the sub-agents of a Claude Code session", () => {
  it("are found below the session's folder, with what their meta file and their calls contain", async () => {
    const agents = await agentsOf(SHOP);
    expect(agents).toMatchObject([
      {
        agentId: "pear1",
        role: "Explore",
        displayName: "Find the pears",
        status: "closed",
        createdAt: at(22),
        closedAt: at(40),
        lastJob: {
          jobId: "toolu_a2",
          outcome: "completed",
          outputText: "The pears are in the cellar.\nagentId: pear1",
          totalTokens: 500,
          completedAt: at(40),
        },
      },
      { agentId: "dig1", role: "Digger", parentAgentId: "pear1", lastJob: { outputText: "Found nine." } },
      {
        agentId: "acompact-1",
        role: "compaction",
        displayName: "Compaction",
        lastJob: { outcome: "completed", outputText: "<summary>Apples and pears.</summary>" },
      },
      { agentId: "flow1", status: "running" },
    ]);
    expect(agents).toHaveLength(4);
    expect(agents[0]).not.toHaveProperty("parentAgentId");
    expect(agents[3]).not.toHaveProperty("lastJob");
  });

  it("are found beside the session, and linked by the prompt that they were given", async () => {
    expect(await agentsOf(BESIDE)).toMatchObject([
      { agentId: "beside1", role: "general-purpose", displayName: "Count", lastJob: { jobId: "toolu_b1" } },
    ]);
  });

  it("are found inline, each linked to its own Task, whichever ran first", async () => {
    expect(await agentsOf(INLINE)).toMatchObject([
      { displayName: "Right", lastJob: { jobId: "toolu_i2", outcome: "completed" } },
      { displayName: "Left", lastJob: { jobId: "toolu_i1", outcome: "failed", error: "I fell." } },
    ]);
  });

  it("are shown with all their work where only progress records contain it", async () => {
    expect(await agentsOf(PROGRESS)).toMatchObject([
      { agentId: "ghost", role: "Explore", displayName: "Look around", lastJob: { outcome: "completed" } },
    ]);
    const trace = await source.loadTraceEnvelopes("shop", PROGRESS);
    const work = trace.filter(({ traceId }) => traceId === "ghost");
    expect(mergeTrace("shop", PROGRESS, work, []).map(({ event }) => event.type)).toEqual([
      "session.start",
      "turn.start",
      "llm.start",
      "tool.start",
      "tool.end",
      "text",
      "llm.end",
      "turn.end",
    ]);
    expect(work.every(({ event }) => event.agentId === "ghost")).toBe(true);
    expect(trace.filter(({ event }) => event.type === "claude-code.progress")).toEqual([]);
  });

  it("keep the other fields of a progress record, also of an unknown message", async () => {
    const message = { type: "novelty", uuid: "n", added: 1 };
    const data = { type: "agent_progress", agentId: "a1", message, prompt: "Go." };
    const root = await newProjects({ "shop/s.jsonl": lines({ type: "progress", data, toolUseID: "t" }) });
    const trace = await openHistories(root).loadTraceEnvelopes("shop", "s");
    const [shown] = trace.filter(({ event }) => event.type === "claude-code.novelty");
    expect(shown).toMatchObject({
      traceId: "a1",
      event: { agentId: "a1", record: { data, toolUseID: "t" } },
    });
  });

  it("begin with the session where no record knows an instant of theirs", async () => {
    const root = await newProjects({
      "shop/s.jsonl": lines({ type: "mode", timestamp: at(7) }, { type: "started", agentId: "a1" }),
    });
    expect(await agentsOf("s", openHistories(root))).toMatchObject([
      { agentId: "a1", createdAt: at(7), status: "running" },
    ]);
  });

  it("are not shown twice where progress records repeat what their file holds", async () => {
    const trace = await source.loadTraceEnvelopes("shop", SHOP);
    const begins = trace.filter(({ event }) => event.type === "session.start" && event.agentId === "pear1");
    expect(begins).toHaveLength(1);
    const progress = trace.find(({ event }) => event.subtype === "agent_progress")!;
    expect(progress).toMatchObject({ traceId: SHOP });
    const { data } = progress.event.record as { data: { message: { message: object } } };
    expect(data.message.message).not.toHaveProperty("content");
  });

  it("are traces of their own, interleaved in time with the conversation", async () => {
    const trace = mergeTrace("shop", SHOP, await source.loadTraceEnvelopes("shop", SHOP), []);
    const placeOf = (find: (event: { type: string; [key: string]: unknown }) => boolean) =>
      trace.findIndex(({ event }) => find(event));
    const spawned = placeOf((event) => event.type === "tool.start" && event.toolCallId === "toolu_a2");
    const begun = placeOf((event) => event.type === "turn.start" && event.agentId === "pear1");
    const nested = placeOf((event) => event.type === "turn.start" && event.agentId === "dig1");
    const answered = placeOf((event) => event.type === "tool.end" && event.toolCallId === "toolu_a2");
    expect(spawned).toBeLessThan(begun);
    expect(begun).toBeLessThan(nested);
    expect(nested).toBeLessThan(answered);
    expect(
      trace.filter(({ traceId }) => traceId === "dig1").every(({ event }) => event.agentId === "dig1"),
    ).toBe(true);
    expect(trace.filter(({ traceId }) => traceId === SHOP).some(({ event }) => "agentId" in event)).toBe(
      false,
    );
  });

  it("leave nothing of a workflow's folder out", async () => {
    const trace = await source.loadTraceEnvelopes("shop", SHOP);
    expect(trace.find(({ traceId }) => traceId === "workflows/run1/journal")).toBeDefined();
    expect(trace.find(({ event }) => event.type === "claude-code.started")!.event).toMatchObject({
      stored: { file: `${SHOP}/subagents/workflows/run1/journal.jsonl`, line: 1 },
      record: { key: "v2:k" },
    });
  });

  it("are sessions of their own where their session is gone, each with an id of its own", async () => {
    const orphans = (await source.listSessions()).filter(({ tenantId }) => tenantId === "orphans");
    expect(orphans.map(({ sessionId, title, tokens }) => [sessionId, title, tokens]).sort()).toEqual([
      [
        "99999999-0000-4000-8000-000000000099.agent-lost1",
        "Find another way., a sub-agent of 99999999-0000-4000-8000-000000000099 (not here)",
        8,
      ],
      ["agent-lost1", "Find the way., a sub-agent of 99999999-0000-4000-8000-000000000099 (not here)", 4],
    ]);
    for (const { sessionId } of orphans) {
      expect(await source.openSession!("orphans", sessionId)).toBeDefined();
      expect(await source.loadMessages("orphans", sessionId)).toHaveLength(2);
    }
  });

  it("are named by their role and task where their session is gone and a note says them", async () => {
    const root = await newProjects({
      "shop/gone/subagents/agent-a1.jsonl": lines({ type: "user", message: { content: "Where is it?" } }),
      "shop/gone/subagents/agent-a1.meta.json": JSON.stringify({
        agentType: "Explore",
        description: "Find it",
      }),
      "shop/gone/subagents/agent-a2.jsonl": lines({ type: "user", message: { content: [] } }),
    });
    const titles = (await openHistories(root).listSessions()).map(({ title }) => title).sort();
    expect(titles).toEqual([
      "Explore: Find it, a sub-agent of gone (not here)",
      "a2, a sub-agent of gone (not here)",
    ]);
  });

  it("are linked by a result that names them, though nothing else does", async () => {
    const call = { type: "tool_use", id: "t1", name: "Task", input: { description: "Far away" } };
    const result = { type: "tool_result", tool_use_id: "t1", content: "Done." };
    const root = await newProjects({
      "shop/s.jsonl": lines(
        { type: "assistant", timestamp: at(1), message: { id: "m", content: [call] } },
        {
          type: "user",
          timestamp: at(5),
          message: { content: [result] },
          toolUseResult: { agentId: "far1" },
        },
      ),
    });
    const agents = await agentsOf("s", openHistories(root));
    expect(agents).toMatchObject([
      { agentId: "far1", displayName: "Far away", status: "closed", lastJob: { outputText: "Done." } },
    ]);
  });

  it("count once where lines of the session and progress records contain the same message", async () => {
    const message = { id: "m1", content: [{ type: "text", text: "Hi." }], usage: { output_tokens: 7 } };
    const data = { type: "agent_progress", agentId: "a1", message: { type: "assistant", message } };
    for (const order of [0, 1]) {
      const records = [
        { type: "progress", timestamp: at(1), data },
        { type: "assistant", timestamp: at(2), agentId: "a1", message },
      ];
      const root = await newProjects({
        "shop/s.jsonl": lines(...(order === 0 ? records : records.toReversed())),
      });
      const both = openHistories(root);
      expect((await both.listSessions())[0]!.tokens).toBe(7);
      const types = (await both.loadTraceEnvelopes("shop", "s")).map(({ event }) => event.type);
      expect(types.filter((type) => type === "llm.end")).toHaveLength(1);
      expect(types.filter((type) => type === "claude-code.progress")).toHaveLength(1);
    }
  });

  it("have a conversation where their lines or progress records lie in the session's file", async () => {
    const said = (role: string, text: string) => ({ role, content: [{ type: "text", text }] });
    const asked = said("user", "Where?");
    const answer = { id: "m1", ...said("assistant", "Here."), usage: { output_tokens: 7 } };
    const progress = (second: number, type: string, message: object) => ({
      type: "progress",
      timestamp: at(second),
      data: { type: "agent_progress", agentId: "a1", message: { type, timestamp: at(second), message } },
    });
    const line = (second: number, type: string, message: object) => ({
      type,
      timestamp: at(second),
      agentId: "a1",
      isSidechain: true,
      message,
    });
    const own = { type: "user", timestamp: at(0), message: said("user", "Ask somebody.") };
    for (const record of [progress, line]) {
      const source = openHistories(
        await newProjects({
          "shop/s.jsonl": lines(own, record(1, "user", asked), record(2, "assistant", answer)),
        }),
      );
      const session = (await source.openSession!("shop", "s"))!;
      const messagesOf = async (agentId?: string) => {
        const messages: unknown[] = [];
        const stream = await session.messages(agentId);
        for await (const batch of stream.read({ from: 0, to: stream.size })) {
          for (let i = 0; i < batch.size; i++)
            messages.push(
              JSON.parse(new TextDecoder().decode(batch.text.subarray(batch.start(i), batch.end(i)))),
            );
        }
        return messages;
      };
      expect(await messagesOf()).toEqual([own.message]);
      expect(await messagesOf("a1")).toEqual([asked, answer]);
      expect((await session.messages("a1")).outline).toEqual({
        calls: [{ callId: "m1", at: 1 }],
        removals: [],
      });
    }
  });

  it("close when they fall silent, where they run in the background", async () => {
    const call = { type: "tool_use", id: "t1", name: "Agent", input: { prompt: "Go.", description: "Walk" } };
    const launch = { type: "tool_result", tool_use_id: "t1", content: "Launched." };
    const root = await newProjects({
      "shop/s.jsonl": lines(
        { type: "assistant", timestamp: at(1), message: { id: "m", content: [call] } },
        {
          type: "user",
          timestamp: at(2),
          message: { content: [launch] },
          toolUseResult: { agentId: "bg", status: "async_launched" },
        },
      ),
      "shop/s/subagents/agent-bg.jsonl": lines(
        { type: "user", timestamp: at(2), message: { content: "Go." } },
        {
          type: "assistant",
          timestamp: at(9),
          message: { id: "n", content: [{ type: "text", text: "Gone." }] },
        },
      ),
    });
    expect(await agentsOf("s", openHistories(root))).toMatchObject([
      { agentId: "bg", closedAt: at(9), lastJob: { jobId: "t1", outputText: "Gone.", completedAt: at(9) } },
    ]);
  });
});

describe("a sub-agent whose file may not be read", () => {
  it("is left out with a warning, and takes nothing else of its session with it", async () => {
    const root = await newProjects({
      "p/s.jsonl": lines(userRecord(1, 0, "One.")),
      "p/s/subagents/agent-a1.jsonl": lines(userRecord(2, 1, "Look.", { agentId: "a1" })),
      "p/s/subagents/agent-a2.jsonl": lines(userRecord(3, 2, "Look.", { agentId: "a2" })),
    });
    const pool = new InProcessPool();
    const hidden = path.join(root, "p/s/subagents/agent-a1.jsonl");
    await chmod(root, 0o755);
    await chmod(hidden, 0o000);
    const { items, trace } = await withoutPrivileges(async () => {
      const fresh = openHistories(root, { pool });
      return { items: await fresh.listSessions(), trace: await traceOf(fresh, "p", "s") };
    });
    expect(items.map(({ sessionId }) => sessionId)).toEqual(["s"]);
    expect(trace.warnings).toEqual([
      { file: "s/subagents/agent-a1.jsonl", line: 1, reason: expect.stringContaining("permission denied") },
    ]);
    expect(trace.keys.traceIds).toEqual(["s", "a2"]);
  });
});
