import { appendFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/index.js";
import { assistantRecord, lines, newProjects, openHistories, userRecord } from "./support/projects.js";

const text = (words: string) => [{ type: "text", text: words }];
const failed = (id: string) => [{ type: "tool_result", tool_use_id: id, is_error: true, content: "no" }];
const read = (id: string) => [{ type: "tool_use", id, name: "Read", input: {} }];

async function facts(source: InspectorDataSource, session = "s") {
  const items = await source.listSessions();
  const { errors, model, prompt, lastAnswer } = items.find(({ sessionId }) => sessionId === session)!;
  return { errors, model, prompt, lastAnswer };
}

describe("what the list says of a session of Claude Code", () => {
  it("is what was asked first and answered last, in one line each, whatever was written", async () => {
    const asked = `Add a test.\n\n${"日本語のテスト。".repeat(60)}`;
    const records = [
      { type: "ai-title", aiTitle: "A test" },
      userRecord(1, 0, asked),
      assistantRecord(2, 1, "m1", text("Füge den\n\nTest „größer“ hinzu 😀.")),
      assistantRecord(3, 2, "m1", [{ type: "thinking", thinking: "Hm." }]),
      assistantRecord(4, 3, "m1", read("t1")),
      userRecord(5, 4, failed("t1")),
      userRecord(6, 5, "And another one."),
    ];
    const source = openHistories(await newProjects({ "p/s.jsonl": lines(...records) }));
    const prompt = `Add a test. ${"日本語のテスト。".repeat(60)}`.slice(0, 299);
    const lastAnswer = "Füge den Test „größer“ hinzu 😀.";
    expect(await facts(source)).toEqual({
      errors: 1,
      model: "claude-test",
      prompt: `${prompt}…`,
      lastAnswer,
    });
  });

  it("leaves out a prompt that is the title, and what nobody said", async () => {
    const source = openHistories(await newProjects({ "p/s.jsonl": lines(userRecord(1, 0, "Go.")) }));
    expect(await facts(source)).toEqual({ errors: 0 });
  });

  it("takes no words of Claude Code's own for the model's, nor its name for a model", async () => {
    const written = assistantRecord(3, 2, "m2", text("No response requested.")) as { message: object };
    const records = [
      userRecord(1, 0, "Go."),
      assistantRecord(2, 1, "m1", text("Gone.")),
      { ...written, message: { ...written.message, model: "<synthetic>" } },
    ];
    const source = openHistories(await newProjects({ "p/s.jsonl": lines(...records) }));
    expect(await facts(source)).toEqual({ errors: 0, model: "claude-test", lastAnswer: "Gone." });
  });

  it("follows a file that grows", async () => {
    const root = await newProjects({
      "p/s.jsonl": lines(userRecord(1, 0, "Go."), assistantRecord(2, 1, "m1", text("One."))),
    });
    const source = openHistories(root);
    expect((await facts(source)).lastAnswer).toBe("One.");
    const more = [assistantRecord(3, 2, "m2", read("t1")), userRecord(4, 3, failed("t1"))];
    await appendFile(path.join(root, "p/s.jsonl"), lines(...more));
    expect(await facts(source)).toEqual({ errors: 1, model: "claude-test", lastAnswer: "One." });
    await appendFile(path.join(root, "p/s.jsonl"), lines(assistantRecord(5, 4, "m3", text("Two."))));
    expect(await facts(source)).toEqual({ errors: 1, model: "claude-test", lastAnswer: "Two." });
  });

  it("is the session's own: what sub-agents say is not, what fails in them is", async () => {
    const agent = [
      userRecord(3, 2, "Look."),
      assistantRecord(4, 3, "m2", text("I look.")),
      assistantRecord(5, 4, "m2", read("t1")),
      userRecord(6, 5, failed("t1")),
    ].map((record) => ({ ...record, agentId: "a1", isSidechain: true, sessionId: "s" }));
    const root = await newProjects({
      "p/s.jsonl": lines(userRecord(1, 0, "Go."), assistantRecord(2, 1, "m1", text("Gone."))),
      "p/s/subagents/agent-a1.jsonl": lines(...agent),
    });
    expect(await facts(openHistories(root))).toEqual({
      errors: 1,
      model: "claude-test",
      lastAnswer: "Gone.",
    });
  });

  it("leaves what a fork copied to the session in which it was first written", async () => {
    const origin = [
      userRecord(1, 0, "Begin."),
      assistantRecord(2, 1, "m1", read("t1")),
      userRecord(3, 2, failed("t1")),
      assistantRecord(4, 3, "m2", text("Begun.")),
    ];
    const copies = origin.map((record) => ({ ...record, forkedFrom: { sessionId: "s" } }));
    const root = await newProjects({
      "p/s.jsonl": lines(...origin),
      "p/fork.jsonl": lines(...copies, userRecord(9, 9, "Go on.")),
    });
    const source = openHistories(root);
    expect(await facts(source)).toEqual({ errors: 1, model: "claude-test", lastAnswer: "Begun." });
    expect(await facts(source, "fork")).toEqual({ errors: 0 });
  });
});
