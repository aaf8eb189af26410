import { describe, expect, it } from "vitest";
import { CompareSessions } from "../../src/application/questions/compare-sessions.js";
import { combineDataSources, type InspectorDataSource } from "../../src/index.js";
import * as claude from "../claude-code/support/projects.js";
import * as codex from "../codex/support/homes.js";

const ASKED = "Why is the cart empty?";
const INPUT = { command: "cat cart.ts", timeout: 5 };
const OUTPUT = "export const cart = [];";
const ANSWER = "Nothing fills it.";

const [CLAUDE, CODEX] = [
  "aaaaaaaa-0000-4000-8000-000000000001",
  "bbbbbbbb-0000-4000-8000-000000000002",
] as const;

async function histories({ output = OUTPUT, timeout = INPUT.timeout } = {}): Promise<InspectorDataSource> {
  const { userRecord, assistantRecord } = claude;
  const projects = await claude.newProjects({
    [`-shop/${CLAUDE}.jsonl`]: claude.lines(
      userRecord(1, 0, ASKED),
      assistantRecord(2, 2, "m1", [{ type: "thinking", thinking: "Hm.", signature: "x" }]),
      assistantRecord(3, 2, "m1", [{ type: "tool_use", id: "t1", name: "shell", input: INPUT }]),
      userRecord(4, 3, [{ type: "tool_result", tool_use_id: "t1", content: OUTPUT }]),
      assistantRecord(5, 5, "m2", [{ type: "text", text: ANSWER }]),
    ),
  });
  const home = await codex.newHome({
    [codex.rolloutOf(CODEX)]: codex.lines([
      codex.meta(CODEX),
      codex.started("turn-1"),
      ...codex.prompted(ASKED),
      codex.called("call_1", "shell", { timeout, command: INPUT.command }),
      codex.counted(900, 0, 20),
      codex.answered("call_1", output),
      codex.said("assistant", ANSWER),
      codex.counted(1_900, 900, 30, [1_000, 900, 10]),
      codex.completed("turn-1"),
    ]),
  });
  return combineDataSources([
    { key: "claude", name: "Claude Code", source: claude.openHistories(projects) },
    { key: "codex", name: "Codex", source: codex.openHome(home) },
  ]);
}

async function compared(source: InspectorDataSource) {
  return new CompareSessions(source).execute({
    sessions: [
      { tenantId: "claude:-shop", sessionId: CLAUDE },
      { tenantId: `codex:${codex.TENANT}`, sessionId: CODEX },
    ],
  });
}

describe("comparing a history of Claude Code with a rollout of Codex", () => {
  it("finds no difference where both say the same", async () => {
    const { difference, conversation, tools } = await compared(await histories());
    expect(difference).toBeNull();
    expect(conversation).toMatchObject({ parts: [4, 4], shared: 4 });
    expect(tools).toEqual([{ name: "shell", calls: [1, 1], failed: [0, 0] }]);
  });

  it("finds the argument that differs, and the calls that it is of", async () => {
    const { difference } = await compared(await histories({ timeout: 9 }));
    expect(difference).toMatchObject({
      kind: "argument",
      at: 1,
      sides: [
        { toolName: "shell", text: '{"command":"cat cart.ts","timeout":5}', stepId: expect.any(String) },
        { toolName: "shell", text: '{"command":"cat cart.ts","timeout":9}', stepId: expect.any(String) },
      ],
    });
  });

  it("finds the result that differs, and what came from there on", async () => {
    const { difference, sessions } = await compared(await histories({ output: "No such file" }));
    expect(difference).toMatchObject({
      kind: "result",
      at: 2,
      sides: [{ text: OUTPUT }, { text: "No such file" }],
    });
    expect(sessions[0].fromDifference?.total.calls).toBe(1);
    expect(sessions[1].fromDifference?.total).toMatchObject({ calls: 1, usage: { outputTokens: 10 } });
  });
});
