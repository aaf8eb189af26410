import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { HISTORY_FORMATS } from "../../src/adapters/formats/registry.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { damagedRecord } from "../support/damaged-records.js";
import { placesOfOthers } from "../support/history-places.js";
import { SHARED_DATA } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { runs } from "../support/soak.js";
import {
  answer,
  CHAT,
  call,
  chain,
  lines,
  newHome,
  openQwenCode,
  response,
  result,
  system,
  told,
  user,
} from "./support/homes.js";

const RUN = path.join(SHARED_DATA, "qwen-code/run-0.24.4");
const REVIEW = path.join(SHARED_DATA, "qwen-code/getspecstory");

describeShared("Histories of Qwen Code", () => {
  const opened = [openQwenCode(RUN), openQwenCode(REVIEW)];
  afterAll(() => Promise.all(opened.map((source) => source.close?.())));
  const [run, review] = opened;

  it("sum up to what was counted in them by hand, and to what the program itself counted", async () => {
    const [item, ...others] = await run!.listSessions();
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      tenantId: "-srv-demo-qw",
      sessionId: "9969c640-4a19-4292-b649-008db8bcd8b3",
      title: "Add a sum function [s:build]",
      directory: "/srv/demo/qw",
      turns: 5,
      model: "mock-1",
      lastAnswer: "Carrying on.",
      status: "idle",
      // Three tools and one request failed.
      errors: 4,
      usage: { inputTokens: 22_400 - 11_200, cacheReadTokens: 11_200, outputTokens: 815 },
    });
    // The program adds each process to the session: its last line is the total, failed requests included.
    const totals = readFileSync(path.join(RUN, "usage_record.jsonl"), "utf8").trimEnd().split("\n").at(-1)!;
    const { requests, inputTokens, outputTokens, totalTokens } = JSON.parse(totals).models["mock-1"];
    expect([item!.usageByModel![0]!.calls + 1, item!.tokens]).toEqual([requests, totalTokens]);
    expect([inputTokens, outputTokens]).toEqual([22_400, 815]);
  });

  it("show each model call once, where its records are, or telemetry alone", async () => {
    const [item] = await run!.listSessions();
    const trace = await run!.loadTraceEnvelopes(item!.tenantId, item!.sessionId);
    const calls: Record<string, number> = {};
    for (const { traceId, event } of trace) {
      const of =
        traceId === item!.sessionId
          ? String(event.callId)
              .replace(/-.*/, "")
              .replace(/^[0-9a-f]{8}$/, "answer")
          : traceId.replace(/[-_].*/, "");
      if (event.type === "llm.end") calls[of] = (calls[of] ?? 0) + 1;
    }
    expect(calls).toEqual({ answer: 12, compress: 1, general: 2, managed: 2 });
    const ends = trace.filter(({ event }) => event.type === "tool.end");
    expect([ends.length, ends.filter(({ event }) => event.isError === true).length]).toEqual([9, 3]);
    expect(trace.filter(({ event }) => event.type === "compaction.end")).toHaveLength(1);
    expect(trace.filter(({ event }) => event.type === "error")).toHaveLength(1);
    const messages = await run!.loadMessages(item!.tenantId, item!.sessionId);
    // 5 prompts, a notification, 12 answers, 8 results, what the compression left.
    expect(messages).toHaveLength(5 + 1 + 12 + 8 + 1);
  });

  it("of an older version are the same", async () => {
    const [item] = await review!.listSessions();
    expect(item).toMatchObject({
      turns: 1,
      tokens: 46,
      errors: 0,
      title: "Exercise shell tool then report completion.",
      model: "review-model",
    });
  });

  it("are recognised, from the home folder down to one project, and by no other format", async () => {
    const recognisedBy = async (folder: string) => {
      const found: string[] = [];
      for (const { name, load } of HISTORY_FORMATS)
        if (runToEnd((await load()).format.folder.recognises(folder))) found.push(name);
      return found;
    };
    for (const folder of [RUN, path.join(RUN, "projects"), path.join(RUN, "projects/-srv-demo-qw"), REVIEW])
      expect([folder, await recognisedBy(folder)]).toEqual([folder, ["qwen-code"]]);
  });
});

describe("Recognising Qwen Code", () => {
  const others = placesOfOthers("qwen-code");

  it("accepts no folder of another tool", async () => {
    const { format } = await HISTORY_FORMATS.find(({ name }) => name === "qwen-code")!.load();
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter(({ folder }) => runToEnd(format.folder.recognises(folder)))).toEqual([]);
  });
});

const SOUND = [
  user("u1", 0, "Go."),
  response("t1", 1, 1),
  answer("a1", 2, [{ text: "I look." }, call("c1", "agent", { prompt: "x" })]),
  result("r1", 3, "c1", { output: "a" }, { resultDisplay: { type: "task_execution", subagentName: "w" } }),
  told("e1", 4, "api_error", { error_message: "No.", prompt_id: "s1#w-1#0" }),
  system("x1", 5, "rewind", {}),
  system("x2", 6, "chat_compression", { compressedHistory: [] }),
  system("x3", 7, "turn_result", { state: "completed" }),
  user(
    "n1",
    8,
    "<task-notification><tool-use-id>c1</tool-use-id><status>failed</status></task-notification>",
    { subtype: "notification" },
  ),
];

const damaged = damagedRecord(SOUND, fc.oneof(fc.jsonValue(), fc.constantFrom(null, -1, "x", [], {})));

async function shownOf(home: string) {
  const source = openQwenCode(home);
  const [item, ...others] = await source.listSessions();
  expect(others).toEqual([]);
  const { tenantId, sessionId } = item!;
  const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
  await source.loadMessages(tenantId, sessionId);
  await source.loadOrchestrationEvents(tenantId, sessionId);
  const { warnings } = await (await source.openSession!(tenantId, sessionId))!.trace();
  await source.close?.();
  const lineOf = ({ event }: { event: Record<string, unknown> }) => (event.stored as { line: number }).line;
  expect(new Set(trace.map(({ id }) => id)).size).toBe(trace.length);
  expect(trace.filter(({ event }) => String(event.type).endsWith(".fault"))).toEqual([]);
  return {
    item: item!,
    shown: new Set(trace.map(lineOf)),
    unread: new Set(warnings.map(({ line }) => line)),
    trace,
  };
}

describe("Damaged histories of Qwen Code", () => {
  it("cost the records that are damaged, and no other", async () => {
    const home = await newHome({ [CHAT]: "" });
    const line = fc.oneof(
      { weight: 4, arbitrary: damaged.map((record) => JSON.stringify(record)) },
      { weight: 1, arbitrary: fc.constantFrom("no json", '{"uuid":', "[1]", "{}", '{"type":"assistant"}') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (odd) => {
        const text = `${odd.map((one) => `${one}\n`).join("")}${chain(user("z1", 50, "Last."), answer("z2", 51, [{ text: "Yes." }]))}`;
        await writeFile(path.join(home, CHAT), text);
        const { shown, unread, trace, item } = await shownOf(home);
        expect(new Set([...shown, ...unread]).size).toBe(odd.length + 2);
        expect(trace.some(({ event }) => event.callId === "z2")).toBe(true);
        expect(item.lastAnswer).toBe("Yes.");
      }),
      { numRuns: runs(150) },
    );
  });

  it("that are cut off anywhere show what is whole", async () => {
    const home = await newHome({ [CHAT]: "" });
    const whole = chain(...SOUND);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.length }), async (length) => {
        await writeFile(path.join(home, CHAT), whole.slice(0, length));
        const { shown } = await shownOf(home);
        const ended = whole.slice(0, length).split("\n").length - 1;
        expect([ended, ended + 1]).toContain(shown.size);
      }),
      { numRuns: runs(50) },
    );
  });

  it("do not keep others from being shown: an empty file, one of other records, a note that is none", async () => {
    const home = await newHome({
      [CHAT]: chain(...SOUND),
      [CHAT.replace("s1", "s2")]: "",
      [CHAT.replace("s1", "s3")]: lines(5, { message: { content: "x" } }),
      "projects/-srv-shop/subagents/s1/agent-w-c1.jsonl": "",
      "projects/-srv-shop/subagents/s1/agent-w-c1.meta.json": "no json",
      "projects/-srv-shop/subagents/s1/agent-w-c2.jsonl": chain(user("b1", 1, "Go.")),
      "projects/-srv-shop/subagents/s1/agent-w-c2.meta.json": '{"agentType":5,"toolUseId":[]}',
      "projects/-srv-shop/subagents/s1/other.txt": "x",
    });
    const source = openQwenCode(home);
    const items = await source.listSessions();
    expect(items.map(({ sessionId, turns }) => [sessionId, turns]).sort()).toEqual([
      ["s1", 1],
      ["s2", 0],
      ["s3", 0],
    ]);
    for (const { tenantId, sessionId } of items) await source.loadTraceEnvelopes(tenantId, sessionId);
    await source.close?.();
  });
});
