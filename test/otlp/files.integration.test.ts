import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createOtlpDataSource } from "../../src/otlp.js";
import { temporaryFolder } from "../support/data-directory.js";
import { summaryOf } from "../support/framework-scenario.js";
import { agent, call, jsonLines, request, span, spanId, tool, traceId } from "./support/spans.js";

const NOW = Date.UTC(2026, 0, 1, 0, 0, 30);

async function open(files: Readonly<Record<string, string>>, threads: number | false = false) {
  const folder = await temporaryFolder();
  const file = (name: string) => path.join(folder, name);
  for (const [name, text] of Object.entries(files)) await writeFile(file(name), text);
  const source = createOtlpDataSource({ directory: folder, threads, now: () => NOW });
  onTestFinished(() => source.close?.());
  return {
    file,
    source,
    list: async () => (await source.findSessions!({})).items,
    warnings: async () => (await source.findSessions!({})).warnings,
    events: async (sessionId = traceId()) =>
      (await source.loadTraceEnvelopes("shop", sessionId)).map(({ event }) => event),
    summary: (sessionId = traceId()) => summaryOf(source, "shop", sessionId),
  };
}

const ROOT = agent({ from: 0, to: 9 });
const CALL = call({ id: 2, from: 1, to: 2 });
const TOOL = tool({ id: 3, from: 3, to: 4, error: "not found" });
const DONE = { turns: 1, modelCalls: 1, toolCalls: ["look"], failedTools: ["look"] };

/** Protobuf's own JSON: other names, ids in base64, enumerations by name. */
function snakeCase(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => snakeCase(one));
  if (typeof value === "string" && /(trace|span)Id$/i.test(key))
    return Buffer.from(value, "hex").toString("base64");
  if (typeof value !== "object" || value === null) return value;
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [snake(name), snakeCase(one, name)]));
}

describe("Files of OTLP", () => {
  it.each<[string, Record<string, string>]>([
    ["lines of requests", { "a.jsonl": jsonLines(request(CALL), request(TOOL), request(ROOT)) }],
    ["a document on one line", { "a.json": JSON.stringify(request(ROOT, CALL, TOOL)) }],
    ["a document on many lines", { "a.json": JSON.stringify(request(ROOT, CALL, TOOL), null, 2) }],
    ["an array of requests on one line", { "a.json": JSON.stringify([request(CALL), request(ROOT, TOOL)]) }],
    [
      "an array of requests on many lines",
      { "a.json": `\uFEFF${JSON.stringify([request(CALL), request(ROOT, TOOL)], null, 2)}\n` },
    ],
    ["an array on each line", { "a.jsonl": jsonLines([request(CALL)], [request(ROOT), request(TOOL)]) }],
    [
      "a trace in two files",
      { "a.jsonl": jsonLines(request(CALL)), "b.json": JSON.stringify(request(ROOT, TOOL), null, 1) },
    ],
    [
      "spans that were sent again",
      { "a.jsonl": jsonLines(request(CALL), request(CALL, TOOL), request(ROOT), request(ROOT)) },
    ],
    [
      "snake case with ids in base64",
      { "a.json": JSON.stringify(snakeCase(request(ROOT, CALL, TOOL)), null, 2) },
    ],
  ])("are read: %s", async (_, files) => {
    const { list, summary, warnings } = await open(files);
    expect((await list()).map(({ sessionId }) => sessionId)).toEqual([traceId()]);
    expect(await summary()).toMatchObject(DONE);
    expect(await warnings()).toEqual([]);
  });

  it("are of whom the first span says, where the outermost one says nothing", async () => {
    const first = call({ id: 2, from: 1, to: 2, attributes: { "user.id": "ada" } });
    const second = call({ id: 3, from: 3, to: 4, attributes: { "user.id": "bob" } });
    const { list } = await open({ "a.jsonl": jsonLines(request(second, first, ROOT)) });
    expect(await list()).toMatchObject([{ userId: "ada" }]);
  });

  it("tell spans of two traces of a session apart, also where their ids are alike", async () => {
    const session = { "gen_ai.conversation.id": "s1" };
    const turns = [1, 2].flatMap((trace) => [
      agent({ trace, from: trace, to: 20 + trace, attributes: session }),
      tool({ trace, id: 2, from: 2 + trace, to: 10 + trace }),
    ]);
    const { summary } = await open({ "a.jsonl": jsonLines(request(...turns)) });
    expect(await summary("s1")).toMatchObject({ turns: 2, toolCalls: ["look", "look"] });
  });

  it("are derived in a thread as without one", async () => {
    const files = { "a.jsonl": jsonLines(request(ROOT, CALL, TOOL)) };
    const events = await (await open(files)).source.loadTraceEnvelopes("shop", traceId());
    const inThread = await (await open(files, 1)).source.loadTraceEnvelopes("shop", traceId());
    expect(inThread).toEqual(events);
    expect(events.length).toBeGreaterThan(5);
  });

  it("count of a span that was sent again the fuller one", async () => {
    const early = call({ id: 2, from: 1, to: 2, attributes: { "gen_ai.usage.output_tokens": 1 } });
    const late = call({ id: 2, from: 1, to: 3 });
    for (const sent of [
      [early, late],
      [late, early],
    ]) {
      const { summary } = await open({
        "a.jsonl": jsonLines(request(ROOT), ...sent.map((one) => request(one))),
      });
      expect((await summary()).tokens).toMatchObject({ outputTokens: 9 });
    }
  });

  it("show what is there of a run that goes on, and the whole when it has ended", async () => {
    const { file, list, summary } = await open({ "a.jsonl": jsonLines(request(CALL)) });
    expect(await list()).toMatchObject([{ sessionId: traceId(), status: "running" }]);
    expect((await summary()).modelCalls).toBe(1);
    await appendFile(file("a.jsonl"), jsonLines(request(TOOL)));
    expect(await summary()).toMatchObject({ toolCalls: ["look"], session: { status: "running" } });
    await appendFile(file("a.jsonl"), jsonLines(request(ROOT)));
    expect(await list()).toMatchObject([{ sessionId: traceId(), status: "idle", agentId: "helper" }]);
    expect(await summary()).toMatchObject(DONE);
  });

  it("wait for the rest of a line", async () => {
    const line = jsonLines(request(TOOL, ROOT));
    const { file, list, summary, warnings } = await open({
      "a.jsonl": jsonLines(request(CALL)) + line.slice(0, 200),
    });
    expect(await list()).toMatchObject([{ status: "running" }]);
    expect(await warnings()).toEqual([]);
    await appendFile(file("a.jsonl"), line.slice(200));
    expect(await summary()).toMatchObject(DONE);
  });

  it("forget what is gone, and keep what has not changed", async () => {
    const other = (id: number) => call({ id, trace: 2, from: 20, to: 21 });
    const { file, list, source } = await open({
      "a.jsonl": jsonLines(request(CALL)),
      "b.jsonl": jsonLines(request(other(7))),
    });
    expect(await list()).toHaveLength(2);
    const before = await source.openSession!("shop", traceId(1));
    await writeFile(file("b.jsonl"), jsonLines(request(call({ id: 8, trace: 3, from: 20, to: 21 }))));
    expect((await list()).map(({ sessionId }) => sessionId)).toEqual([traceId(3), traceId(1)]);
    expect((await source.openSession!("shop", traceId(1)))!.revision).toBe(before!.revision);
    expect(await source.openSession!("shop", traceId(2))).toBeUndefined();
  });

  it("lose nothing to a line that is no request, which is a warning", async () => {
    const text = `not json\n${jsonLines(request(CALL))}{"a":1}\n[]\n${jsonLines(request(ROOT, TOOL))}`;
    const { summary, warnings } = await open({ "a.jsonl": text });
    expect(await summary()).toMatchObject(DONE);
    expect(await warnings()).toEqual([
      { file: "a.jsonl", line: 1, reason: "is not valid JSON" },
      { file: "a.jsonl", line: 3, reason: "is no OTLP export request: it has no resourceSpans" },
      { file: "a.jsonl", line: 4, reason: "is valid JSON, but no object" },
    ]);
  });

  it.each(["resourceLogs", "resourceMetrics"])("of other signals are named as such: %s", async (signal) => {
    const text = jsonLines({ [signal]: [{}] }, { [signal]: [{}] });
    const { list, warnings } = await open({ "other.jsonl": text, "a.jsonl": jsonLines(request(CALL)) });
    expect(await list()).toHaveLength(1);
    const reason = `holds ${signal.slice(8).toLowerCase()} (OTLP), which are skipped: sessions consist of traces`;
    expect(await warnings()).toEqual([{ file: "other.jsonl", line: 1, reason }]);
  });

  it("may have parents in a circle, and one id in two traces of a session", async () => {
    const session = { "session.id": "s" };
    const circle = [
      span({ id: 4, parent: 5, from: 1, to: 2 }),
      span({ id: 5, parent: 4, from: 1, to: 2 }),
      call({ id: 6, parent: 6, from: 1, to: 2, attributes: session }),
    ];
    const twin = call({ id: 6, trace: 2, from: 3, to: 4, attributes: session });
    const { summary, warnings } = await open({ "a.jsonl": jsonLines(request(...circle, twin)) });
    expect(await summary("s")).toMatchObject({ modelCalls: 2 });
    expect(await warnings()).toEqual([]);
  });

  it("give a trace to the session that any of its spans names", async () => {
    const named = call({ id: 2, from: 1, to: 2, attributes: { "session.id": "s", "user.id": "ada" } });
    const { list } = await open({ "a.jsonl": jsonLines(request(named, ROOT)) });
    expect(await list()).toMatchObject([{ tenantId: "shop", sessionId: "s", userId: "ada" }]);
  });

  it("count a call that fails with its turn once, also where the turn ended a moment earlier", async () => {
    const failed = { attributes: { "error.type": "timeout" }, error: "timed out" };
    const late = call({ id: 2, from: 1, to: 9.0004, ...failed });
    const { list, events } = await open({
      "a.jsonl": jsonLines(request(late), request(agent({ from: 0, to: 9, ...failed }))),
    });
    expect(await list()).toMatchObject([{ errors: 1, status: "error" }]);
    expect((await events()).map(({ type }) => type).slice(-2)).toEqual(["llm.end", "turn.end"]);
  });

  it("keep settings of calls, and all of a step that nobody knows", async () => {
    const warm = call({ id: 2, from: 1, to: 2, attributes: { "gen_ai.request.temperature": 1, "x.y": "z" } });
    const step = span({ id: 4, parent: 1, name: "think", from: 5, to: 6, attributes: { own: "thing" } });
    const found = await (await open({ "a.jsonl": jsonLines(request(ROOT, warm, step)) })).events();
    expect(found.find(({ type }) => type === "llm.end")!.attributes).toMatchObject({
      "gen_ai.request.temperature": 1,
      "x.y": "z",
    });
    expect(found.find(({ type }) => type === "llm.end")!.attributes).not.toHaveProperty(
      "gen_ai.input.messages",
    );
    expect(found.find(({ type }) => type === "span")).toMatchObject({
      name: "think",
      spanId: spanId(4),
      attributes: { own: "thing" },
    });
  });

  it("are none in a folder that is not there yet", async () => {
    const folder = path.join(await temporaryFolder(), "later");
    const source = createOtlpDataSource({ directory: folder, threads: false });
    onTestFinished(() => source.close?.());
    expect(await source.listSessions()).toEqual([]);
  });
});
