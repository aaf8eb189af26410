import path from "node:path";
import { expect, it } from "vitest";
import { SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { atifSource } from "./support/histories.js";

const TRAJECTORIES = path.join(SHARED_DATA, "atif/phoenix-client");

interface Golden {
  readonly turns: number;
  /** Prompt, completion and cached tokens, and US dollars, without copied steps. */
  readonly sum: readonly [number, number, number, number];
  readonly modelCalls: number;
  readonly tools: Readonly<Record<string, number>>;
  readonly messages: number;
  readonly agents: readonly string[];
  readonly compactions: number;
  readonly model: string | undefined;
  readonly isTimed: boolean;
}

/** Another program counted these in the files. */
const GOLDEN: Readonly<Record<string, Golden>> = {
  "harbor-openhands-hello-world": {
    turns: 1,
    sum: [220, 80, 0, 0.00135],
    modelCalls: 2,
    tools: { str_replace_editor: 1, finish: 1 },
    messages: 6,
    agents: [],
    compactions: 0,
    model: undefined,
    isTimed: false,
  },
  "harbor-terminus2-summarization": {
    turns: 2,
    // 6,502 of the session, and 500, 100 and 700 of the agents that summed up.
    sum: [7_802, 1_030, 0, 0.029805],
    modelCalls: 10,
    tools: { bash_command: 5, mark_task_complete: 2 },
    messages: 10,
    agents: [
      "trajectory.summarization-1-summary",
      "trajectory.summarization-1-questions",
      "trajectory.summarization-1-answers",
    ],
    compactions: 1,
    model: "gpt-4o",
    isTimed: false,
  },
  "sess-multimodal-test": {
    turns: 1,
    sum: [2_600, 125, 0, 0.013],
    modelCalls: 2,
    tools: { extract_text: 1 },
    messages: 3,
    agents: [],
    compactions: 0,
    model: "gpt-4o",
    isTimed: true,
  },
  "sess-abc123-simple": {
    turns: 1,
    sum: [1_120, 124, 0, 0.00078],
    modelCalls: 2,
    tools: { financial_search: 1 },
    messages: 3,
    agents: [],
    compactions: 0,
    model: "gpt-4",
    isTimed: true,
  },
  "run-v17-001": {
    turns: 1,
    sum: [67, 21, 0, 0],
    // One of the two steps of the agent called no model; its sub-agent did.
    modelCalls: 2,
    tools: { delegate_research: 1 },
    messages: 4,
    agents: ["child-doc"],
    compactions: 1,
    model: "gpt-4.1",
    isTimed: true,
  },
};

describeShared("trajectories of Harbor and others", () => {
  it("are five sessions, each as it was counted by hand", async () => {
    const source = atifSource(TRAJECTORIES);
    const items = await source.listSessions();
    expect(items.map(({ sessionId }) => sessionId).sort()).toEqual(Object.keys(GOLDEN).sort());
    for (const item of items) {
      const golden = GOLDEN[item.sessionId]!;
      const trace = await source.loadTraceEnvelopes(item.tenantId, item.sessionId);
      const of = (type: string) => trace.filter(({ event }) => event.type === type);
      const tools: Record<string, number> = {};
      for (const { event } of of("tool.start"))
        tools[`${event.toolName}`] = (tools[`${event.toolName}`] ?? 0) + 1;
      const [prompt, completion, cached, usd] = golden.sum;
      const name = item.sessionId;
      expect([name, item.turns, item.status, item.model]).toEqual([name, golden.turns, "idle", golden.model]);
      expect(item.usage).toEqual({
        inputTokens: prompt - cached,
        outputTokens: completion,
        cacheReadTokens: cached,
        cacheWriteTokens: 0,
      });
      const costs = of("llm.end").map(({ event }) => Number(event.costUSD ?? 0));
      expect(costs.reduce((sum, one) => sum + one, 0)).toBeCloseTo(usd, 8);
      expect([name, item.errors, item.warnings]).toEqual([name, 0, undefined]);
      expect(of("llm.start")).toHaveLength(golden.modelCalls);
      expect(of("llm.end")).toHaveLength(golden.modelCalls);
      expect(tools).toEqual(golden.tools);
      expect(of("compaction.end")).toHaveLength(golden.compactions);
      expect(of("atif.no_timestamps")).toHaveLength(golden.isTimed ? 0 : 1);
      expect(new Set(trace.map(({ timestamp }) => timestamp)).size > 1).toBe(golden.isTimed);
      expect(await source.loadMessages(item.tenantId, item.sessionId)).toHaveLength(golden.messages);
      const state = await source.loadOrchestrationState(item.tenantId, item.sessionId);
      expect(Object.keys(state?.snapshot.agents ?? {}).sort()).toEqual([...golden.agents].sort());
    }
    await source.close?.();
  });

  it("show the totals that a trajectory states where its steps sum up to others", async () => {
    const source = atifSource(TRAJECTORIES);
    const stated = async (sessionId: string) => {
      const trace = await source.loadTraceEnvelopes("phoenix-client", sessionId);
      return trace.flatMap(({ event }) =>
        event.type === "atif.stated_totals" ? [event.total_prompt_tokens] : [],
      );
    };
    expect(await stated("harbor-terminus2-summarization")).toEqual([7_802]);
    expect(await stated("harbor-openhands-hello-world")).toEqual([]);
    expect(await stated("run-v17-001")).toEqual([]);
    await source.close?.();
  });
});
