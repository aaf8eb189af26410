import { describe, expect, it } from "vitest";
import type { InspectorSessionItem } from "../../src/domain/session/session.js";
import {
  assistantRecord,
  at,
  FIXTURES,
  lines,
  newProjects,
  openHistories,
  userRecord,
  uuid,
} from "./support/projects.js";

const text = (words: string) => ({ type: "text", text: words });

async function itemOf(records: readonly unknown[], now?: number): Promise<InspectorSessionItem> {
  const root = await newProjects({ "p/s.jsonl": lines(...records) });
  const [item] = await openHistories(root, { now: () => now ?? Date.now() }).listSessions();
  return item!;
}

describe("the list of Claude Code sessions", () => {
  it("holds every session once, and no sub-agent of one", async () => {
    const items = await openHistories(FIXTURES).listSessions();
    expect(items.map(({ tenantId, sessionId }) => `${tenantId}/${sessionId.slice(0, 8)}`).sort()).toEqual([
      "errors/eeeeeeee",
      "errors/ffffffff",
      "forks/11111111",
      "forks/22222222",
      "forks/33333333",
      "forks/44444444",
      "odd/odd",
      "orphans/99999999",
      "orphans/agent-lo",
      "shop/aaaaaaaa",
      "shop/bbbbbbbb",
      "shop/cccccccc",
      "shop/dddddddd",
    ]);
  });

  it("knows the folder that a session was begun in, in any script, and none where no prompt names one", async () => {
    const inFolder = (cwd: unknown, second: number) => userRecord(second + 1, second, "Go.", { cwd });
    const first = await itemOf([inFolder("/home/zoë/日本", 0), inFolder("/home/zoë/日本/apps", 1)]);
    expect(first.directory).toBe("/home/zoë/日本");
    for (const cwd of [undefined, 7, ""]) {
      expect(await itemOf([inFolder(cwd, 0)])).not.toHaveProperty("directory");
    }
  });

  it("writes nothing to the host's log where many sessions are read at a time", async () => {
    const warned: Error[] = [];
    const listener = (warning: Error) => warned.push(warning);
    process.on("warning", listener);
    const files = Array.from({ length: 20 }, (_, i) => [`p/${i}.jsonl`, lines(userRecord(i + 1, 0, "Go."))]);
    const root = await newProjects(Object.fromEntries(files));
    const { signal } = new AbortController();
    const items = await openHistories(root).listSessions({ signal });
    await new Promise((resolve) => setImmediate(resolve)); // warnings are emitted in a later turn of the event loop
    process.off("warning", listener);
    expect(items).toHaveLength(20);
    expect(warned).toEqual([]);
  });

  it("counts the human prompts of the conversation as turns, and each API message once", async () => {
    const items = await openHistories(FIXTURES).listSessions();
    const shop = items.find(({ sessionId }) => sessionId.startsWith("aaaaaaaa"))!;
    expect(shop).toMatchObject({
      title: "Apples",
      userId: "",
      turns: 4,
      // main thread 70 + 4 + …, sub-agents pear1, dig1, acompact-1, flow1: counted by hand in the samples
      usage: { inputTokens: 1_083, outputTokens: 243, cacheReadTokens: 304, cacheWriteTokens: 1_005 },
      tokens: 2_635,
      createdAt: at(0),
      lastActive: at(84),
      status: "idle",
    });
  });

  it("counts the tokens of a sub-agent that only progress records contain", async () => {
    const items = await openHistories(FIXTURES).listSessions();
    const ghost = items.find(({ sessionId }) => sessionId.startsWith("dddddddd"))!;
    expect(ghost.usage).toEqual({
      inputTokens: 102,
      outputTokens: 22,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    });
  });

  it("calls a session whose newest turn ended in an API error an error, and one that recovered idle", async () => {
    const items = await openHistories(FIXTURES).listSessions();
    const statusOf = (id: string) => items.find(({ sessionId }) => sessionId.startsWith(id))!.status;
    expect(statusOf("ffffffff")).toBe("error");
    expect(statusOf("eeeeeeee")).toBe("idle");
  });

  it("calls a session running whose turn waits for something, for five minutes", async () => {
    const asked = [userRecord(1, 0, "Go.")];
    const calling = [...asked, assistantRecord(2, 10, "m1", [{ type: "tool_use", id: "t", name: "Bash" }])];
    const soon = Date.parse(at(60));
    expect((await itemOf(asked, soon)).status).toBe("running");
    expect((await itemOf(calling, soon)).status).toBe("running");
    expect((await itemOf(calling, Date.parse(at(10 + 301)))).status).toBe("idle");
    expect((await itemOf([...calling, assistantRecord(3, 11, "m2", [text("Done.")])], soon)).status).toBe(
      "idle",
    );
  });

  it("says that a session waits for a person, however long ago it asked, and what it asks", async () => {
    const calling = (name: string, input: object) => [
      userRecord(1, 0, "Go."),
      assistantRecord(2, 10, "m1", [{ type: "tool_use", id: "t", name, input }]),
    ];
    const result = (second: number) =>
      userRecord(3, second, [{ type: "tool_result", tool_use_id: "t", content: "eu" }]);
    const asking = calling("AskUserQuestion", {
      questions: [{ question: "Which region?", header: "Region" }],
    });
    expect(await itemOf(asking)).toMatchObject({ status: "waiting", waitingFor: "Which region?" });
    expect(await itemOf(calling("ExitPlanMode", { plan: "## Plan\n\nDo it." }))).toMatchObject({
      status: "waiting",
      waitingFor: "## Plan Do it.",
    });
    const answered = await itemOf([...asking, result(20)], Date.parse(at(60)));
    expect(answered.status).toBe("running");
    expect(answered).not.toHaveProperty("waitingFor");
    expect((await itemOf([...asking, userRecord(4, 20, "Another thing.")], Date.parse(at(60)))).status).toBe(
      "running",
    );
  });

  it("says that a running session waits where a sub-agent asks a person", async () => {
    const asking = (name: string, id: string, input: object) => [{ type: "tool_use", id, name, input }];
    const question = asking("AskUserQuestion", "q", { questions: [{ question: "Which region?" }] });
    const root = await newProjects({
      "p/s.jsonl": lines(userRecord(1, 0, "Go."), assistantRecord(2, 10, "m1", asking("Task", "t", {}))),
      "p/s/subagents/agent-a1.jsonl": lines(
        userRecord(3, 11, "Deploy.", { isSidechain: true, agentId: "a1" }),
        { ...assistantRecord(4, 12, "m2", question), isSidechain: true, agentId: "a1" },
      ),
    });
    const [item] = await openHistories(root, { now: () => Date.parse(at(60)) }).listSessions();
    expect(item).toMatchObject({ sessionId: "s", status: "waiting", waitingFor: "Which region?" });
  });

  it("calls a session running for as long as its open command may take", async () => {
    const input = { command: "make", timeout: 600_000 };
    const calling = [
      userRecord(1, 0, "Go."),
      assistantRecord(2, 10, "m1", [{ type: "tool_use", id: "t", name: "Bash", input }]),
    ];
    expect((await itemOf(calling, Date.parse(at(10 + 590)))).status).toBe("running");
    expect((await itemOf(calling, Date.parse(at(10 + 601)))).status).toBe("idle");
  });

  it("calls a session an error whose API gave up, until the next prompt", async () => {
    const error = { type: "system", subtype: "api_error", retryAttempt: 3, maxRetries: 3, timestamp: at(5) };
    const failed = [userRecord(1, 0, "Go."), error];
    expect((await itemOf(failed)).status).toBe("error");
    expect((await itemOf([...failed, userRecord(2, 9, "Again.")])).status).toBe("idle");
  });

  it("takes a custom title, an AI title, a summary, the first prompt, in this order", async () => {
    const prompt = userRecord(1, 0, `A  prompt\nthat goes on ${"and on ".repeat(30)}`);
    const summary = { type: "summary", summary: "In short", leafUuid: uuid(1) };
    const ai = { type: "ai-title", aiTitle: "By a model" };
    const custom = { type: "custom-title", customTitle: "By hand" };
    const promptTitle = (await itemOf([prompt])).title!;
    expect(promptTitle).toMatch(/^A prompt that goes on and on.*…$/);
    expect(promptTitle.length).toBeLessThanOrEqual(100);
    expect((await itemOf([summary, prompt])).title).toBe("In short");
    expect((await itemOf([ai, summary, prompt])).title).toBe("By a model");
    expect((await itemOf([custom, ai, summary, prompt])).title).toBe("By hand");
    expect(await itemOf([{ type: "mode" }])).not.toHaveProperty("title");
  });

  it("gives a summary to the session whose newest record it names, whichever file holds it", async () => {
    const root = await newProjects({
      "p/first.jsonl": lines(userRecord(1, 0, "First."), assistantRecord(2, 1, "m", [text("Yes.")])),
      "p/second.jsonl": lines(
        { type: "summary", summary: "Of the first", leafUuid: uuid(2) },
        userRecord(3, 9, "Second."),
      ),
      "p/third.jsonl": lines({ type: "summary", summary: "Of nobody", leafUuid: uuid(99) }),
    });
    const items = await openHistories(root).listSessions();
    expect(items.map(({ sessionId, title }) => `${sessionId}: ${title}`).sort()).toEqual([
      "first: Of the first",
      "second: Second.",
      "third: Of nobody",
    ]);
  });

  it("shows a slash command as a title without its markup", async () => {
    const content =
      "<command-message>review is running…</command-message>\n<command-name>/review</command-name>";
    expect(
      (await itemOf([userRecord(1, 0, `${content}\n<command-args>all of it</command-args>`)])).title,
    ).toBe("/review all of it");
  });

  it("takes the file's own time where no record knows an instant", async () => {
    const before = Date.now() - 5_000;
    const { lastActive } = await itemOf([{ type: "summary", summary: "x" }]);
    expect(Date.parse(lastActive)).toBeGreaterThan(before);
  });

  it("is empty where there is no such folder, or nothing in it", async () => {
    expect(await openHistories("/nowhere/at/all").listSessions()).toEqual([]);
    expect(await openHistories(await newProjects()).listSessions()).toEqual([]);
    expect(await openHistories(await newProjects({ "p/memory/notes.md": "x" })).listSessions()).toEqual([]);
  });
});
