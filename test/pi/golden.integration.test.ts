import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { FOLDERS } from "./support/real-sessions.js";
import { openSessions } from "./support/sessions.js";

interface Golden {
  readonly turns: number;
  /** uncached input, output, read from a cache. */
  readonly tokens: readonly [number, number, number];
  readonly usd: number | undefined;
  /** Summaries included. */
  readonly calls: number;
  readonly failedCalls: number;
  readonly results: number;
  /** Results that are errors, and those of them that the user stopped. */
  readonly failedResults: number;
  readonly stoppedResults: number;
  readonly outcomes: readonly string[];
  readonly replayed: number;
  readonly messages: number;
  readonly title: string;
  readonly model: string | undefined;
  readonly answer: string;
}

/** Another program counted these in the files (`EXPECT.md` of the run), without copies in a fork. */
const GOLDEN: Readonly<Record<string, Golden>> = {
  "01a20e4c-7210-76f8-806b-97ee4bbfaea8": {
    turns: 7,
    tokens: [7_400, 540, 7_100],
    usd: 0.01027,
    calls: 17,
    failedCalls: 4,
    results: 7,
    failedResults: 3,
    stoppedResults: 1,
    outcomes: ["completed", "failed", "completed", "completed", "cancelled", "completed", "completed"],
    replayed: 0,
    messages: 35,
    title: "Demo: sum function",
    model: "mock-1",
    answer: "This is the second branch.",
  },
  "01a20e4c-99fe-76f8-806b-97f28e259d57": {
    turns: 1,
    tokens: [1_100, 85, 1_100],
    usd: 0.00155,
    calls: 2,
    failedCalls: 0,
    results: 1,
    failedResults: 0,
    stoppedResults: 0,
    outcomes: ["completed"],
    replayed: 17,
    messages: 19,
    title: "In the fork [s:other]",
    model: "mock-1",
    answer: "Another branch: one function.",
  },
  "real-world-uuid": {
    turns: 2,
    tokens: [17_867, 357, 16_569],
    usd: 0.04335639,
    calls: 3,
    failedCalls: 1,
    results: 2,
    failedResults: 0,
    stoppedResults: 0,
    outcomes: ["failed"],
    replayed: 0,
    messages: 8,
    title: "Read README.md and NOTES.md, then tell me what this project is about.",
    model: "accounts/fireworks/routers/kimi-k2p6-fast",
    answer: "This project — **`pi-format-demo`** — is a small",
  },
  "019e19b4-eb48-746a-aa6b-8dfcfa37954b": {
    turns: 2,
    tokens: [24, 14, 0],
    usd: undefined,
    calls: 2,
    failedCalls: 0,
    results: 0,
    failedResults: 0,
    stoppedResults: 0,
    outcomes: ["completed", "completed"],
    replayed: 0,
    messages: 6,
    title: "Read hello.py and summarize what it prints without editing files.",
    model: "pi-fixture-model",
    answer: "hello.py prints a fixture greeting.",
  },
  "openclaw-stage0-small": {
    turns: 1,
    tokens: [0, 0, 0],
    usd: undefined,
    calls: 1,
    failedCalls: 0,
    results: 1,
    failedResults: 0,
    stoppedResults: 0,
    outcomes: [],
    replayed: 0,
    messages: 3,
    title: "List files",
    model: "openclaw-small",
    answer: "Running ls now.",
  },
  "openclaw-stage0-drift": {
    turns: 1,
    tokens: [0, 0, 0],
    usd: undefined,
    calls: 1,
    failedCalls: 0,
    results: 1,
    failedResults: 0,
    stoppedResults: 0,
    outcomes: [],
    replayed: 0,
    messages: 4,
    title: "Need a quick diagnostic",
    model: undefined,
    answer: "I am running diagnostics.",
  },
};

describeShared("sessions that Pi and OpenClaw wrote", () => {
  it.each(FOLDERS)("%s holds what was counted in its files", async (folder, format) => {
    const source = await openSessions(path.join(SHARED_DATA, folder), { format });
    const items = await source.listSessions();
    expect(items).toHaveLength(
      readdirSync(path.join(SHARED_DATA, folder), { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".jsonl"),
      ).length,
    );
    for (const item of items) {
      const { tenantId, sessionId } = item;
      const golden = GOLDEN[sessionId]!;
      const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
      const of = (type: string) => trace.map(({ event }) => event).filter((event) => event.type === type);
      const [inputTokens, outputTokens, cacheReadTokens] = golden.tokens;
      const counted = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0 };
      // Without any counts, there is no usage.
      expect(item.usage).toEqual(inputTokens + outputTokens === 0 ? undefined : counted);
      const { failedResults, stoppedResults, failedCalls } = golden;
      expect(item).toMatchObject({ turns: golden.turns, title: golden.title, status: "idle" });
      expect([item.model, item.errors]).toEqual([golden.model, failedResults - stoppedResults + failedCalls]);
      expect(item.lastAnswer?.slice(0, golden.answer.length)).toBe(golden.answer);
      expect(item.warnings).toBeUndefined();
      const costs = of("llm.end").flatMap(({ costUSD }) => (costUSD as number | undefined) ?? []);
      expect(costs.length === 0 ? undefined : costs.reduce((a, b) => a + b)).toEqual(
        golden.usd === undefined ? undefined : expect.closeTo(golden.usd, 10),
      );
      expect([of("llm.start").length, of("llm.end").length]).toEqual([golden.calls, golden.calls]);
      expect(of("error")).toHaveLength(failedCalls);
      expect(of("tool.end")).toHaveLength(golden.results);
      expect(of("tool.start").map(({ toolCallId }) => toolCallId)).toEqual(
        of("tool.end").map(({ toolCallId }) => toolCallId),
      );
      expect(of("tool.end").filter(({ isError }) => isError)).toHaveLength(failedResults);
      expect(of("tool.end").filter(({ refused }) => refused)).toHaveLength(stoppedResults);
      expect(of("turn.end").map(({ outcome }) => outcome)).toEqual(golden.outcomes);
      expect(of("session.start")[0]!.replayed ?? 0).toBe(golden.replayed);
      expect(await source.loadMessages(tenantId, sessionId)).toHaveLength(golden.messages);
    }
  });

  it("a run and its fork are in total what their files hold, each entry once", async () => {
    const folder = path.join(SHARED_DATA, "pi/run-0.87.1/sessions");
    const once = new Map<string, number>();
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".jsonl")) continue;
      for (const line of readFileSync(path.join(folder, name), "utf8").trimEnd().split("\n")) {
        const { id, timestamp, usage, message } = JSON.parse(line);
        const { totalTokens } = usage ?? message?.usage ?? {};
        if (totalTokens !== undefined) once.set(`${id} ${timestamp}`, totalTokens);
      }
    }
    const source = await openSessions(folder);
    const listed = (await source.listSessions()).reduce((sum, { tokens }) => sum + tokens, 0);
    expect(listed).toBe([...once.values()].reduce((a, b) => a + b));
  });
});
