import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { KIMI_TASKS } from "../../src/adapters/formats/kimi/kimi-format.js";
import { HISTORY_FORMATS } from "../../src/adapters/formats/registry.js";
import { TranscriptDataSource } from "../../src/adapters/transcripts/source/transcript-data-source.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { openHistories } from "../../src/histories.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { damagedRecord } from "../support/damaged-records.js";
import { folderWith, lines } from "../support/history-files.js";
import { inventedFolder } from "../support/invented/histories.js";
import { SHARED_DATA, sharedHistories } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { runs } from "../support/soak.js";

const SHARED = path.join(SHARED_DATA, "kimi/agent-sessions");
const open = (root: string) => asDataSource(new TranscriptDataSource(root, KIMI_TASKS, { threads: false }));

const START = Date.UTC(2026, 7, 1, 9);
const at = (second: number) => ({ time: START + second * 1_000 });
const METADATA = { type: "metadata", protocol_version: "1.4", created_at: START };
const PERSON = { kind: "user" };
const text = (said: string) => [{ type: "text", text: said }];
const prompt = (second: number, said: string, origin: object = PERSON) => ({
  type: "turn.prompt",
  input: text(said),
  origin,
  ...at(second),
});
const message = (second: number, said: string, origin: object = PERSON) => ({
  type: "context.append_message",
  message: { role: "user", content: text(said), toolCalls: [], origin },
  ...at(second),
});
const event = (second: number, type: string, more: object) => ({
  type: "context.append_loop_event",
  event: { type, ...more },
  ...at(second),
});
const said = (second: number, stepUuid: string, part: object) =>
  event(second, "content.part", { stepUuid, part });
const USAGE = { inputOther: 10, inputCacheRead: 80, inputCacheCreation: 5, output: 5 };
const used = (second: number, usageScope = "turn") => ({
  type: "usage.record",
  model: "k",
  usage: USAGE,
  usageScope,
  ...at(second),
});
const request = (second: number, kind = "loop") => ({
  type: "llm.request",
  kind,
  model: "kimi-x",
  ...at(second),
});

const step = (second: number, uuid: string, more: object = { usage: USAGE }) => [
  event(second, "step.begin", { uuid }),
  request(second),
  said(second + 1, uuid, { type: "think", think: "Hm." }),
  said(second + 1, uuid, { type: "text", text: "Done." }),
  event(second + 2, "step.end", { uuid, finishReason: "end_turn", ...more }),
];

const SESSION = "sessions/wd_shop_1/session_s1";

const newHome = (files: Readonly<Record<string, string>>) =>
  folderWith(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${SESSION}/${name}`, text])));

const MAIN = "agents/main/wire.jsonl";

async function opened(files: Readonly<Record<string, string>>) {
  const source = open(await newHome(files));
  onTestFinished(() => source.close?.());
  const [item] = await source.listSessions();
  const trace = await source.loadTraceEnvelopes(item!.tenantId, item!.sessionId);
  const snapshot = (await source.openSession!(item!.tenantId, item!.sessionId))!;
  const agents = (await (await snapshot.orchestration()).state())?.snapshot.agents ?? {};
  const { outline } = await snapshot.messages();
  const events = (type: string) =>
    trace.filter((envelope) => envelope.event.type === type).map((one) => one.event);
  return { item: item!, trace, events, agents, outline: outline! };
}

describeShared("Histories of Kimi Code", () => {
  it("sum up to what was counted in them by hand", async () => {
    const source = open(SHARED);
    const [item, ...others] = await source.listSessions();
    const { tenantId, sessionId } = item!;
    const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
    const count = (type: string) => trace.filter((envelope) => envelope.event.type === type).length;
    await source.close?.();
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      tenantId: "-private-tmp-as-agent-lab-kimi-project",
      sessionId: "1bcbe023-4f7e-4971-9dc9-43b8756045b0",
      title: "hi",
      turns: 8,
      errors: 1,
      model: "kimi-k2.7-code",
    });
    // 22 steps of the session, three of its sub-agent, and the compaction's call.
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = item!.usage!;
    expect(inputTokens + cacheReadTokens + cacheWriteTokens).toBe(649_307 + 41_321 + 42_371);
    expect([cacheReadTokens, outputTokens]).toEqual([661_504 + 28_416, 4_578 + 330 + 937]);
    expect([count("llm.end"), count("tool.end"), count("compaction.end")]).toEqual([26, 21, 1]);
  });

  it("are recognised, from the home folder down to a session, and by no other format", async () => {
    const folder = path.join(SHARED, "sessions/wd_project_ac3bb318f98e");
    for (const place of [SHARED, path.join(SHARED, "sessions"), folder]) {
      const found: string[] = [];
      for (const { name, load } of HISTORY_FORMATS)
        if (runToEnd((await load()).format.folder.recognises(place))) found.push(name);
      expect([place, found]).toEqual([place, ["kimi"]]);
    }
  });
});

describeDerivedSource(
  "Kimi Code",
  open,
  [{ name: "invented", folder: inventedFolder("kimi") }, ...sharedHistories("kimi")],
  { isHistory: (file) => file.endsWith("wire.jsonl") },
);

describe("A session of Kimi Code", () => {
  it("counts the usage of a step once, wherever it is told", async () => {
    for (const wire of [
      [...step(1, "a"), used(3)],
      [...step(1, "a", {}), used(3)],
      [
        event(1, "step.begin", { uuid: "a" }),
        request(1),
        event(3, "step.end", { uuid: "a", usage: USAGE }),
        used(3),
      ],
    ]) {
      const { item, trace } = await opened({
        [MAIN]: lines(METADATA, prompt(0, "Go."), message(0, "Go."), ...wire),
      });
      expect(item).toMatchObject({
        turns: 1,
        tokens: 100,
        status: "idle",
        model: "kimi-x",
        createdAt: new Date(START).toISOString(),
      });
      expect(item.usage).toEqual({
        inputTokens: 10,
        outputTokens: 5,
        cacheReadTokens: 80,
        cacheWriteTokens: 5,
      });
      const [start, ...more] = trace.filter((envelope) => envelope.event.type === "llm.start");
      expect([start!.timestamp, more]).toEqual([
        new Date(START + 1_000).toISOString(),
        expect.toSatisfy((all) => all.length === 0),
      ]);
    }
  });

  it("is called and placed as its state says", async () => {
    const wire = lines(METADATA, prompt(0, "Go."));
    const state = JSON.stringify({ title: "Mine", workDir: "/srv/shop", lastPrompt: "Go." });
    expect((await opened({ [MAIN]: wire, "state.json": state })).item).toMatchObject({
      tenantId: "-srv-shop",
      sessionId: "s1",
      title: "Mine",
      directory: "/srv/shop",
    });
    for (const odd of ["no json", "[]", '{"title":5}', "[".repeat(60_000)])
      expect((await opened({ [MAIN]: wire, "state.json": odd })).item).toMatchObject({
        tenantId: "wd_shop_1",
        title: "Go.",
      });
  });

  it("tells how a tool ended, and a turn", async () => {
    const { item, events } = await opened({
      [MAIN]: lines(
        METADATA,
        prompt(0, "Go."),
        event(1, "step.begin", { uuid: "a" }),
        event(2, "tool.call", { stepUuid: "a", toolCallId: "Bash_0", name: "Bash", args: { command: "ls" } }),
        event(3, "tool.result", { toolCallId: "Bash_0", result: { output: "no", isError: true } }),
        { type: "turn.cancel", ...at(4) },
        { type: "turn.ended", reason: "cancelled", durationMs: 4_000, ...at(4) },
        prompt(5, "On."),
        { type: "turn.ended", reason: "failed", ...at(6) },
        { type: "later.type", ...at(7) },
      ),
    });
    expect(events("tool.end")).toMatchObject([{ toolName: "Bash", output: "no", isError: true }]);
    expect(events("turn.end").map(({ outcome }) => outcome)).toEqual(["cancelled", "failed"]);
    expect(item).toMatchObject({ errors: 2, status: "error" });
    expect(events("kimi.later.type").map(({ bookkeeping }) => bookkeeping)).toEqual([undefined]);
  });

  it("keeps the newest messages of humans behind a compaction, whose call is one of its own", async () => {
    const { item, events, outline } = await opened({
      [MAIN]: lines(
        METADATA,
        prompt(0, "One."),
        message(0, "One."),
        message(0, "<system-reminder>", { kind: "injection" }),
        prompt(1, "Two."),
        message(1, "Two."),
        ...step(2, "a"),
        { type: "full_compaction.begin", ...at(10) },
        request(10, "compaction"),
        used(14, "session"),
        {
          type: "context.apply_compaction",
          summary: "All.",
          keptUserMessageCount: 1,
          tokensBefore: 9,
          tokensAfter: 3,
          ...at(15),
        },
      ),
    });
    expect(item.tokens).toBe(200);
    expect(outline.removals).toMatchObject([
      {
        at: 5,
        cause: "compaction",
        messages: [
          [0, 2],
          [3, 5],
        ],
      },
    ]);
    expect(events("compaction.end")).toMatchObject([{ summary: "All.", tokensBefore: 9, tokensAfter: 3 }]);
  });

  it("has its sub-agents, linked by what their call gave", async () => {
    const args = { subagent_type: "explore", description: "Count", prompt: "Count it" };
    const { item, agents } = await opened({
      [MAIN]: lines(
        METADATA,
        prompt(0, "Go."),
        event(1, "tool.call", { stepUuid: "a", toolCallId: "Agent_0", name: "Agent", args }),
        event(9, "tool.result", {
          toolCallId: "Agent_0",
          result: { output: "agent_id: agent-0\nstatus: completed\n\nTwo." },
        }),
        ...step(10, "b"),
      ),
      "agents/agent-0/wire.jsonl": lines(
        METADATA,
        prompt(2, "Count it", { kind: "system_trigger", name: "subagent" }),
        ...step(3, "c"),
      ),
    });
    expect([item.turns, item.tokens]).toEqual([1, 200]);
    expect(agents).toMatchObject({
      "agent-0": {
        role: "explore",
        displayName: "Count",
        status: "closed",
        lastJob: { jobId: "Agent_0", outcome: "completed" },
      },
    });
  });

  it("is shown from a file that was named by itself", async () => {
    const home = await newHome({ [MAIN]: lines(METADATA, prompt(0, "Go.")) });
    const source = await openHistories("kimi", path.join(home, SESSION, MAIN), {
      threads: false,
    });
    expect(await source.listSessions()).toMatchObject([{ tenantId: "wd_shop_1", sessionId: "s1", turns: 1 }]);
    await source.close?.();
  });
});

const SOUND: readonly object[] = [
  prompt(0, "Go."),
  message(0, "Go."),
  ...step(1, "a"),
  used(3, "session"),
  event(4, "tool.call", { stepUuid: "a", toolCallId: "Agent_0", name: "Agent", args: { prompt: "x" } }),
  event(5, "tool.result", { toolCallId: "Agent_0", result: { output: "agent_id: a", isError: true } }),
  { type: "context.apply_compaction", summary: "All.", keptUserMessageCount: 1, ...at(6) },
  { type: "turn.ended", reason: "completed", ...at(7) },
];

const damaged = damagedRecord(SOUND, fc.jsonValue());

describe("Damaged histories of Kimi Code", () => {
  it("cost the records that are damaged, and no other", async () => {
    const home = await newHome({ [MAIN]: "", "agents/empty/wire.jsonl": "" });
    const line = fc.oneof(
      { weight: 4, arbitrary: damaged.map((record) => JSON.stringify(record)) },
      { weight: 1, arbitrary: fc.constantFrom("no json", '{"type":', "[1]", "{}") },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (odd) => {
        const content =
          lines(METADATA) +
          odd.map((one) => `${one}\n`).join("") +
          lines(prompt(50, "Last."), ...step(51, "z"));
        await writeFile(path.join(home, SESSION, MAIN), content);
        const source = open(home);
        const [item, ...others] = await source.listSessions();
        const { tenantId, sessionId } = item!;
        const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
        await source.loadMessages(tenantId, sessionId);
        await source.loadOrchestrationEvents(tenantId, sessionId);
        const { warnings } = await (await source.openSession!(tenantId, sessionId))!.trace();
        await source.close?.();
        const shown = trace.map((envelope) => (envelope.event.stored as { line: number }).line);
        expect(others).toEqual([]);
        expect(new Set([...shown, ...warnings.map((one) => one.line)]).size).toBe(odd.length + 7);
        expect(new Set(trace.map(({ id }) => id)).size).toBe(trace.length);
        expect(trace.filter((envelope) => String(envelope.event.type).endsWith(".fault"))).toEqual([]);
        expect(trace.some((envelope) => envelope.event.callId === "z")).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });
});
