import path from "node:path";
import { expect, it } from "vitest";
import { SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { inspectSource } from "./support/logs.js";

const LOGS = path.join(SHARED_DATA, "inspect");

interface Golden {
  readonly title: string;
  /** Input, output and cached input: sums of the sample's `model_usage`. */
  readonly tokens: readonly [number, number, number];
  readonly modelCalls: number;
  readonly tools: number;
  readonly sandboxes: number;
  readonly scores: Readonly<Record<string, unknown>>;
  /** Without those of a grader. */
  readonly messages: number;
  readonly agents?: readonly string[];
}

const one = { tools: 0, sandboxes: 0, modelCalls: 1 };
const graded = { ...one, modelCalls: 2, messages: 3, agents: ["scorer model_graded_fact"] };
const guessing: Golden = {
  title: "guess_number 0: 0",
  tokens: [0, 0, 0],
  modelCalls: 6,
  tools: 5,
  sandboxes: 5,
  scores: { closeness_log: 0 },
  messages: 12,
};

/** Another program counted these in the samples. */
const GOLDEN: Readonly<Record<string, Golden>> = {
  "inspect_ai.log_message_deduplication 0": guessing,
  "repacked-zstd.log_message_deduplication.zstd 0": guessing,
  "inspect_ai.mmlu-summary-choices 1": {
    ...one,
    title: "mmlu_0_shot 1: I",
    tokens: [153, 3, 0],
    scores: { choice: "I" },
    messages: 2,
  },
  "inspect_scout.2025-11-07T10-59-47-05-00_websearch-addition-problem_LqPDntDnkk4h2fSqQ8i6CE 1": {
    ...one,
    title: "websearch_addition_problem 1: C",
    tokens: [587, 33, 0],
    scores: { match: "C" },
    messages: 2,
  },
  "inspect_ai.logs.2025-05-12T20-27-36-04-00_browser.json 1": {
    title: "browser 1: C",
    tokens: [15_235, 281, 9_088],
    modelCalls: 5,
    tools: 4,
    sandboxes: 10,
    scores: { includes: "C" },
    messages: 10,
  },
  "inspect_ai.logs.2025-05-12T20-28-13-04-00_popularity.json 1": {
    ...one,
    title: "popularity 1: C",
    tokens: [64, 2, 0],
    scores: { match: "C" },
    messages: 3,
  },
  "inspect_ai.logs.2025-05-12T20-28-13-04-00_popularity.json 2": {
    ...one,
    title: "popularity 2: C",
    tokens: [58, 2, 0],
    scores: { match: "C" },
    messages: 3,
  },
  "inspect_ai.logs.2025-05-12T20-28-13-04-00_popularity.json 3": {
    ...one,
    title: "popularity 3: I",
    tokens: [70, 2, 0],
    scores: { match: "I" },
    messages: 3,
  },
  "inspect_ai.logs.2025-05-12T20-28-26-04-00_security-guide.json 1": {
    ...graded,
    title: "security_guide 1: C",
    tokens: [320, 309, 0],
    scores: { model_graded_fact: "C" },
  },
  "inspect_ai.logs.2025-05-12T20-28-26-04-00_security-guide.json 2": {
    ...graded,
    title: "security_guide 2: C",
    tokens: [310, 256, 0],
    scores: { model_graded_fact: "C" },
  },
  "inspect_ai.logs.2025-05-12T20-28-26-04-00_security-guide.json 3": {
    ...graded,
    title: "security_guide 3: C",
    tokens: [329, 468, 0],
    scores: { model_graded_fact: "C" },
  },
};

describeShared("real logs of Inspect", () => {
  it("are eleven samples, each as it was counted by hand", async () => {
    const source = inspectSource(LOGS);
    const items = await source.listSessions();
    const names = items.map(({ tenantId, sessionId }) => `${tenantId} ${sessionId}`);
    expect(names.sort()).toEqual(Object.keys(GOLDEN).sort());
    for (const item of items) {
      const { tenantId, sessionId } = item;
      const name = `${tenantId} ${sessionId}`;
      const golden = GOLDEN[name]!;
      const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
      const of = (type: string) => trace.filter(({ event }) => event.type === type);
      const [input, outputTokens, cacheReadTokens] = golden.tokens;
      expect([name, item.title, item.turns, item.status]).toEqual([name, golden.title, 1, "idle"]);
      const inputTokens = input - cacheReadTokens;
      const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0 };
      expect(item.usage).toEqual(input === 0 ? undefined : usage);
      expect([name, item.errors, item.warnings]).toEqual([name, 0, undefined]);
      expect(of("llm.start")).toHaveLength(golden.modelCalls);
      expect(of("llm.end")).toHaveLength(golden.modelCalls);
      expect(of("tool.start")).toHaveLength(golden.tools);
      expect(of("tool.end")).toHaveLength(golden.tools);
      const calls = new Set(of("tool.start").map(({ event }) => event.toolCallId));
      const works = of("inspect.sandbox");
      expect(works).toHaveLength(golden.sandboxes);
      expect(works.every(({ event }) => calls.has(event.toolCallId))).toBe(true);
      const scores = of("inspect.score").map(({ event }) => [event.name, event.value]);
      expect(Object.fromEntries(scores)).toEqual(golden.scores);
      expect(of("turn.end").filter(({ event }) => event.agentId === undefined)).toHaveLength(1);
      expect(await source.loadMessages(tenantId, sessionId)).toHaveLength(golden.messages);
      expect(JSON.stringify(trace.map(({ event }) => event.text ?? ""))).not.toContain("attachment://");
      const state = await source.loadOrchestrationState(tenantId, sessionId);
      expect(Object.keys(state?.snapshot.agents ?? {})).toEqual(golden.agents ?? []);
    }
    await source.close?.();
  });

  it("tell which messages each request held, also where these lie in a pool", async () => {
    const source = inspectSource(path.join(LOGS, "inspect_ai"));
    const session = await source.openSession!("log_message_deduplication", "0");
    const messages = await session!.messages();
    expect(messages.outline?.calls.map(({ at, isRecorded }) => [at, isRecorded])).toEqual(
      [1, 3, 5, 7, 9, 11].map((count) => [count, true]),
    );
    expect(messages.outline?.removals).toEqual([]);
    await source.close?.();
  });
});
