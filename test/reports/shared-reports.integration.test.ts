import path from "node:path";
import { expect, it } from "vitest";
import { openHistories } from "../../src/histories.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { inspect } from "../support/inspector.js";
import { SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";

interface Listed {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly turns: number;
  readonly tokens: number;
  readonly models?: readonly string[];
  readonly cost?: { readonly usd: number; readonly placeholderCalls?: number };
}

async function open(kind: string, folder: string) {
  const directory = path.join(SHARED_DATA, "reports", folder);
  const options = { threads: false } as const;
  const source =
    kind === "otlp"
      ? createOtlpDataSource({ directory, ...options })
      : await openHistories(kind, directory, options);
  const { ask } = inspect(source);
  const answer = async (part: string, { tenantId, sessionId }: Listed) =>
    (await ask(`/sessions/${sessionId}/${part}?tenantId=${encodeURIComponent(tenantId)}`)).text;
  const { body } = await ask("/sessions");
  return { answer, ask, sessions: body.sessions as readonly Listed[] };
}

/** The figures of `EXPECT.md`, worked out by hand: sums over the sessions of a folder. */
const FIGURES: readonly (readonly [kind: string, folder: string, tokens: number, usd?: number])[] = [
  ["claude-code", "claude-advisor/projects", 191_502, 0.553406],
  ["claude-code", "claude-btw-fork/projects", 11_909],
  ["claude-code", "claude-duplicate-records/projects", 5_212],
  ["claude-code", "claude-fast-mode/projects", 224_000, 0.285 + 0.1425],
  ["claude-code", "claude-long-first-prompt/projects", 1_303],
  ["claude-code", "claude-queued-command/projects", 2_606],
  ["claude-code", "claude-sdk-fork/claude/projects", 209_840, 0.155075],
  ["codex", "codex-five-resumes/codex", 120_500],
  ["codex", "codex-fork-inherited-total/codex", 930_500],
  ["codex", "codex-mixed-writers/codex", 101_000],
  ["codex", "codex-priority-tier/codex", 202_000, 1.855],
  ["otlp", "otlp-ai-sdk-5", 6_600],
  ["otlp", "otlp-cache-write", 111_500, 0.13],
  ["otlp", "otlp-codex", 30_500],
];

describeShared("reported situations", () => {
  for (const [kind, folder, tokens, usd] of FIGURES) {
    it(`${folder} has ${tokens} tokens`, async () => {
      const { sessions } = await open(kind, folder);
      expect(sessions.reduce((sum, session) => sum + session.tokens, 0)).toBe(tokens);
      const cost = sessions.reduce((sum, session) => sum + (session.cost?.usd ?? 0), 0);
      if (usd !== undefined) expect(cost).toBeCloseTo(usd, 5);
    });
  }

  it("has the models of an advisor, and the tier of a call", async () => {
    const [advised] = (await open("claude-code", "claude-advisor/projects")).sessions;
    expect(advised!.models?.toSorted()).toEqual(["claude-opus-4-7", "claude-sonnet-4-6"]);
    const fast = await open("claude-code", "claude-fast-mode/projects");
    expect(fast.sessions.map(({ models }) => models).toSorted()).toEqual([
      ["claude-opus-4-8"],
      ["claude-opus-4-8 (fast)"],
    ]);
    const [codex] = (await open("otlp", "otlp-codex")).sessions;
    expect(codex).toMatchObject({
      sessionId: "019aa000-0000-7000-8000-000000004601",
      turns: 1,
      models: ["gpt-5.5"],
    });
  });

  it("counts records that a file holds twice once", async () => {
    const { answer, sessions } = await open("claude-code", "claude-duplicate-records/projects");
    expect(sessions[0]).toMatchObject({ turns: 3 });
    expect(JSON.parse(await answer("messages", sessions[0]!))).toMatchObject({ messages: { length: 8 } });
    expect((await answer("trace", sessions[0]!)).match(/"type":"tool.start"/g)).toHaveLength(1);
  });

  it("has the answer to a side question in the trace, of an agent that has ended", async () => {
    const { answer, sessions } = await open("claude-code", "claude-btw-fork/projects");
    expect(await answer("trace", sessions[0]!)).toContain("It is the code name of the cart.");
    expect(await answer("orchestration", sessions[0]!)).not.toContain('"running"');
  });

  it("has a prompt that was typed while the agent worked in trace and messages", async () => {
    const { answer, sessions } = await open("claude-code", "claude-queued-command/projects");
    const { messages } = JSON.parse(await answer("messages", sessions[0]!)) as {
      messages: readonly unknown[];
    };
    expect(messages[3]).toEqual({ role: "user", content: "Also bump the changelog zebra-42" });
    expect(await answer("trace", sessions[0]!)).toContain("zebra-42");
  });

  it("marks the cost of a Copilot session without input counts as a lower bound", async () => {
    const { sessions } = await open("copilot-cli", "copilot-resume");
    const tokens = Object.fromEntries(sessions.map((session) => [session.sessionId.at(-1), session.tokens]));
    expect(tokens).toMatchObject({ 1: 30_300, 2: 22_150, 4: 100 });
    expect(sessions.find(({ sessionId }) => sessionId.endsWith("4"))!.cost).toMatchObject({
      placeholderCalls: 1,
    });
  });

  it("has input and output of tools and agents that are span events", async () => {
    const { answer, sessions } = await open("otlp", "otlp-strands-events");
    const trace = await answer("trace", sessions[0]!);
    for (const text of ['"city":"Oslo"', "needle-rain 9 mm", "Weather in Oslo?", "It rains in Oslo."])
      expect(trace).toContain(text);
  });

  it("counts spans with unusable ids in a warning", async () => {
    const { ask } = await open("otlp", "otlp-unusable-ids");
    expect((await ask("/sources")).text).toContain("2 spans are skipped");
  });
});
