import { appendFile, chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { sharedThread } from "../support/pools.js";
import { messagesOf, traceOf } from "../support/snapshots.js";
import { assistantRecord, lines, newProjects, userRecord } from "./support/projects.js";

const pool = sharedThread();

const text = (words: string) => [{ type: "text", text: words }];

async function turnsOf(source: InspectorDataSource, sessionId = "s"): Promise<number | undefined> {
  return (await source.listSessions()).find((item) => item.sessionId === sessionId)?.turns;
}

async function typesOf(source: InspectorDataSource): Promise<string[]> {
  const trace = await source.loadTraceEnvelopes("p", "s");
  return trace.toSorted((a, b) => a.sequence - b.sequence).map(({ event }) => event.type);
}

describe("a projects folder that Claude Code is writing", () => {
  it("is read on from where it ended, with the same result as read anew", async () => {
    const root = await newProjects({ "p/s.jsonl": "" });
    const file = path.join(root, "p/s.jsonl");
    const source = createClaudeCodeDataSource(root, { pool });
    const records = [
      userRecord(1, 0, "One."),
      assistantRecord(2, 1, "m1", [{ type: "thinking", thinking: "Hm." }]),
      assistantRecord(3, 2, "m1", [{ type: "tool_use", id: "t1", name: "Bash" }], { outputTokens: 9 }),
      userRecord(4, 3, [{ type: "tool_result", tool_use_id: "t1", content: "ok" }]),
      assistantRecord(5, 4, "m2", text("Done.")),
      { type: "system", subtype: "turn_duration", durationMs: 4 },
      userRecord(6, 9, "Two."),
    ];
    for (const record of records) {
      const whole = lines(record);
      await appendFile(file, whole.slice(0, 20));
      await source.loadTraceEnvelopes("p", "s");
      expect((await traceOf(source, "p", "s")).warnings).toEqual([]);
      await appendFile(file, whole.slice(20, -1));
      await source.listSessions();
      await source.loadTraceEnvelopes("p", "s");
      await appendFile(file, "\n");
      const anew = createClaudeCodeDataSource(root, { pool });
      expect(await source.loadTraceEnvelopes("p", "s")).toEqual(await anew.loadTraceEnvelopes("p", "s"));
      expect(await source.listSessions()).toEqual(await anew.listSessions());
    }
    expect(await typesOf(source)).toEqual([
      "session.start",
      "turn.start",
      "llm.start",
      "thinking",
      "llm.end",
      "tool.start",
      "tool.end",
      "llm.start",
      "text",
      "llm.end",
      "turn.end",
      "turn.start",
    ]);
  });

  it("is listed as if it were read anew, whatever changed since the last list", async () => {
    const first = lines(userRecord(1, 0, "One."), assistantRecord(2, 1, "m1", text("Yes.")));
    const root = await newProjects({
      "p/s.jsonl": first,
      "p/s/subagents/agent-a1.jsonl": lines(userRecord(11, 0, "Look.", { agentId: "a1" })),
      "p/other.jsonl": lines(userRecord(21, 0, "Else.")),
      "q/s.jsonl": lines(userRecord(31, 0, "Another project.")),
    });
    let now = Date.UTC(2026, 2, 1, 10, 0, 5);
    const open = () => createClaudeCodeDataSource(root, { pool, now: () => now });
    const source = open();
    const file = (name: string) => path.join(root, name);
    let before = await source.listSessions();
    expect(before).toHaveLength(3);
    expect(await source.listSessions()).toEqual(before);

    const changes: readonly (() => Promise<void>)[] = [
      () => appendFile(file("p/s.jsonl"), lines(userRecord(3, 9, "Two."))),
      () =>
        appendFile(
          file("p/s/subagents/agent-a1.jsonl"),
          lines(assistantRecord(12, 20, "m9", text("I see."))),
        ),
      () =>
        writeFile(
          file("p/s/subagents/agent-a2.jsonl"),
          lines(assistantRecord(13, 30, "m8", text("Me too."))),
        ),
      () => rm(file("p/s/subagents/agent-a2.jsonl")),
      async () => {
        now += 3_600_000;
      },
      () =>
        appendFile(file("q/s.jsonl"), lines({ type: "custom-title", customTitle: "Given", sessionId: "s" })),
      () => writeFile(file("p/fork.jsonl"), first + lines(userRecord(4, 40, "Go on from here."))),
      () => rm(file("p/s.jsonl")),
      () => rm(file("p/other.jsonl")),
    ];
    for (const change of changes) {
      await change();
      const after = await source.listSessions();
      expect(after).toEqual(await open().listSessions());
      expect(after).not.toEqual(before);
      before = after;
    }
  });

  it("changes the revision of a session with its file, its sub-agents and their meta files", async () => {
    const root = await newProjects({ "p/s.jsonl": lines(userRecord(1, 0, "One.")) });
    const source = createClaudeCodeDataSource(root, { pool });
    const revision = async () => (await source.openSession!("p", "s"))!.revision;
    const seen = [await revision()];
    const agents = path.join(root, "p/s/subagents");
    await mkdir(agents, { recursive: true });
    await writeFile(path.join(agents, "agent-a.jsonl"), lines(userRecord(2, 1, "Go.")));
    seen.push(await revision());
    await writeFile(path.join(agents, "agent-a.meta.json"), "{}");
    seen.push(await revision());
    await appendFile(path.join(root, "p/s.jsonl"), lines({ type: "mode" }));
    seen.push(await revision());
    expect(new Set(seen).size).toBe(4);
    expect(await revision()).toBe(seen[3]);
    expect(await source.openSession!("p", "unknown")).toBeUndefined();
  });

  it("is read anew where a file was replaced or cut", async () => {
    const root = await newProjects({
      "p/s.jsonl": lines(userRecord(1, 0, "One."), userRecord(2, 1, "Two.")),
    });
    const source = createClaudeCodeDataSource(root, { pool });
    expect(await turnsOf(source)).toBe(2);
    await writeFile(path.join(root, "p/s.jsonl"), lines(userRecord(3, 0, "Other.")));
    expect(await turnsOf(source)).toBe(1);
    await writeFile(path.join(root, "p/next"), lines(...[4, 5, 6].map((n) => userRecord(n, n, "New."))));
    await rename(path.join(root, "p/next"), path.join(root, "p/s.jsonl"));
    expect(await turnsOf(source)).toBe(3);
  });

  it("loses a session that is deleted", async () => {
    const root = await newProjects({ "p/s.jsonl": lines(userRecord(1, 0, "One.")) });
    const source = createClaudeCodeDataSource(root, { pool });
    expect(await source.openSession!("p", "s")).toBeDefined();
    await rm(path.join(root, "p/s.jsonl"));
    expect(await source.openSession!("p", "s")).toBeUndefined();
    expect(await source.listSessions()).toEqual([]);
    expect(await source.loadMessages("p", "s")).toEqual([]);
    expect(await source.loadTraceEnvelopes("p", "s")).toEqual([]);
    expect(await source.loadOrchestrationState("p", "s")).toBeNull();
  });

  it("is never left: links that lead outside are not there", async () => {
    const outside = await newProjects({ "secret/s.jsonl": lines(userRecord(1, 0, "Secret.")) });
    const root = await newProjects({ "p/own.jsonl": lines(userRecord(2, 0, "Own.")) });
    await symlink(path.join(outside, "secret"), path.join(root, "linked"));
    await symlink(path.join(outside, "secret/s.jsonl"), path.join(root, "p/s.jsonl"));
    await mkdir(path.join(root, "p/own"));
    await symlink(path.join(outside, "secret"), path.join(root, "p/own/subagents"));
    const source = createClaudeCodeDataSource(root, { pool });
    expect((await source.listSessions()).map(({ sessionId }) => sessionId)).toEqual(["own"]);
    expect(await source.openSession!("linked", "s")).toBeUndefined();
    expect(await source.loadMessages("linked", "s")).toEqual([]);
    expect(await source.loadMessages("p", "s")).toEqual([]);
    const trace = await source.loadTraceEnvelopes("p", "own");
    expect(JSON.stringify(trace)).not.toContain("Secret");
  });

  it("keeps two projects with a session of the same id apart", async () => {
    const root = await newProjects({
      "p/s.jsonl": lines(userRecord(1, 0, "Of p.")),
      "q/s.jsonl": lines(userRecord(2, 0, "Of q.")),
    });
    const source = createClaudeCodeDataSource(root, { pool });
    expect(await source.loadMessages("p", "s")).toMatchObject([{ content: "Of p." }]);
    expect(await source.loadMessages("q", "s")).toMatchObject([{ content: "Of q." }]);
    expect((await source.loadTraceEnvelopes("q", "s")).every(({ tenantId }) => tenantId === "q")).toBe(true);
  });

  it.skipIf(process.getuid?.() === 0)(
    "names what it may not read by its path in the folder, not on the machine (skipped: root may read all)",
    async () => {
      const root = await newProjects({
        "p/s.jsonl": lines(userRecord(1, 0, "One.")),
        "p/t.jsonl": lines(userRecord(2, 0, "Two.")),
        "p/t/subagents/agent-a.jsonl": lines(userRecord(3, 0, "Three.")),
        "p/u.jsonl": lines(userRecord(4, 0, "Four.")),
      });
      await chmod(path.join(root, "p/s.jsonl"), 0);
      await chmod(path.join(root, "p/t/subagents"), 0);
      const source = createClaudeCodeDataSource(root, { pool });
      const listed = await source.listSessions();
      expect(listed.map(({ sessionId, warnings }) => [sessionId, warnings]).sort()).toEqual([
        ["s", 1],
        ["t", undefined],
        ["u", undefined],
      ]);
      const denied = "cannot be read: permission denied.";
      await expect(source.loadMessages("p", "s")).rejects.toThrow(`p/s.jsonl ${denied}`);
      await expect(source.loadMessages("p", "t")).rejects.toThrow(`p/t/subagents ${denied}`);
      expect(await source.loadMessages("p", "u")).toHaveLength(1);
      await chmod(path.join(root, "p/t/subagents"), 0o700);
    },
  );

  it("does not name the machine's folders when a file vanishes under a stream", async () => {
    const root = await newProjects({ "p/s.jsonl": lines(userRecord(1, 0, "One.")) });
    const stream = await messagesOf(createClaudeCodeDataSource(root, { pool }), "p", "s");
    await rm(path.join(root, "p/s.jsonl"));
    const read = async () => {
      for await (const _ of stream.read({ from: 0, to: 1 })) throw new Error("there is nothing to read");
    };
    await expect(read()).rejects.toThrow(/^p\/s\.jsonl is gone\.$/);
  });
});
