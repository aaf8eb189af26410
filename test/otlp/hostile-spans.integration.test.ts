import { rmSync } from "node:fs";
import { appendFile, chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { CUT_OFF } from "../../src/domain/json/json.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { createOtlpReceiver } from "../../src/otlp-receiver.js";
import { JSON_TYPE } from "../otlp-receiver/support/requests.js";
import { temporaryFolder } from "../support/data-directory.js";
import { inspect } from "../support/inspector.js";
import { withoutPrivileges } from "../support/privileges.js";
import { DEEP_ATTRIBUTES, deepRequest } from "./support/deep-spans.js";
import { agent, call, jsonLines, request, span, tool, traceId } from "./support/spans.js";

const NOW = Date.UTC(2026, 0, 1, 0, 1);
const GOOD = JSON.stringify(
  request(
    agent({ from: 0, to: 9, attributes: { "input.value": "Where is the red lantern?" } }),
    call({ id: 2, from: 1, to: 2 }),
    tool({ id: 3, from: 3, to: 4, attributes: { "gen_ai.tool.call.arguments": '{"path":"lantern.ts"}' } }),
  ),
);

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function received(requests: readonly string[]) {
  const directory = await mkdtemp(path.join(tmpdir(), "hostile-spans-"));
  folders.push(directory);
  const receiver = createOtlpReceiver({ directory, threads: false, access: () => ({ tenants: "all" }) });
  for (const body of requests) {
    const init = { method: "POST", headers: { "Content-Type": JSON_TYPE }, body };
    expect(await (await receiver.app.request("/v1/traces", init)).json()).toEqual({});
  }
  await receiver.close();
  const source = createOtlpDataSource({ directory, threads: false, now: () => NOW });
  const { ask, failures } = inspect(source);
  const body = async (address: string) => {
    const answer = await ask(address);
    expect(answer.status, address).toBe(200);
    return answer.body;
  };
  return { body, failures, close: () => source.close!() };
}

interface Envelope {
  readonly id: string;
  readonly event: { readonly type: string };
}

async function answersOf(
  { body }: Pick<Awaited<ReturnType<typeof received>>, "body">,
  trace: number,
  q: string,
) {
  const sessionId = traceId(trace);
  const of = (what: string) => body(`/sessions/${sessionId}/${what}tenantId=shop`);
  const isIts = (one: { readonly sessionId: string }) => one.sessionId === sessionId;
  const { sessions } = (await body("/sessions")) as { sessions: { sessionId: string }[] };
  const { envelopes } = (await of("trace?")) as unknown as { envelopes: Envelope[] };
  const { messages } = (await of("messages?")) as { messages: unknown[] };
  const hits: { sessionId: string }[] = [];
  for (let cursor: unknown = ""; cursor !== null; ) {
    const found = await body(`/search?q=${encodeURIComponent(q)}${cursor && `&cursor=${cursor}`}`);
    expect(found).not.toHaveProperty("notes");
    hits.push(...(found.hits as typeof hits));
    cursor = found.nextCursor;
  }
  const called = envelopes.find(({ event }) => event.type === "llm.start")!.id;
  return {
    listed: sessions.filter(isIts),
    envelopes,
    messages,
    agents: await of("orchestration?"),
    summary: await of("summary?"),
    context: await of(`context?call=${called}&`),
    hits: hits.filter(isIts),
  };
}

describe("Spans with values that are nested 10,000 deep", () => {
  let beside: Awaited<ReturnType<typeof received>>;
  beforeAll(async () => {
    const hostile = DEEP_ATTRIBUTES.map(([, attributes], i) => deepRequest(i + 2, attributes));
    beside = await received([...hostile, GOOD]);
  });
  afterAll(() => beside.close());

  it.each(DEEP_ATTRIBUTES.map(([kind], i) => [kind, i + 2] as const))(
    "are sessions that show where they are cut off: %s",
    async (_, trace) => {
      const { listed, envelopes, messages, hits, summary, context } = await answersOf(beside, trace, CUT_OFF);
      expect(listed).toMatchObject([{ turns: 1, agentId: "helper", errors: 0 }]);
      expect(envelopes.map(({ event }) => event.type)).toEqual(
        expect.arrayContaining([
          "turn.start",
          "span",
          "llm.start",
          "llm.end",
          "tool.start",
          "tool.end",
          "turn.end",
        ]),
      );
      expect(JSON.stringify([envelopes, messages])).toContain(CUT_OFF);
      expect(hits).not.toEqual([]);
      expect(summary).toMatchObject({ counts: { turns: 1, modelCalls: 1, toolCalls: 1 } });
      expect(context).toMatchObject({ call: { size: expect.any(Number) } });
      expect(beside.failures).toEqual([]);
    },
  );

  it("are no warnings of the list: nothing is missing but what is cut off", async () => {
    expect(await beside.body("/sessions")).not.toHaveProperty("warnings");
  });
});

async function sourceOf(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  const file = (name: string) => path.join(folder, name);
  for (const [name, content] of Object.entries(files)) await writeFile(file(name), content);
  const source = createOtlpDataSource({ directory: folder, threads: false, now: () => NOW });
  onTestFinished(() => source.close?.());
  const list = async () => {
    const { items, warnings } = await source.findSessions!({});
    return { ids: items.map(({ sessionId }) => sessionId), warnings };
  };
  return { file, source, list };
}

/** Runs at each reading of a step's kind. */
function whenKindIsRead(answer: (time: number) => string): void {
  const { toLowerCase } = String.prototype;
  let time = 0;
  const spy = vi.spyOn(String.prototype, "toLowerCase").mockImplementation(function (this: string) {
    return String(this) === "mine" ? answer(++time) : toLowerCase.call(this);
  });
  onTestFinished(() => spy.mockRestore());
}

describe("A span that makes the inspector fail", () => {
  const mine = span({ id: 2, parent: 1, trace: 2, from: 21, to: 22, attributes: { "span.type": "mine" } });
  const HOSTILE_LINE = jsonLines(request(mine, agent({ trace: 2, from: 20, to: 29 })));
  const REASON = "made the inspector fail (TypeError: no such kind), and is skipped";

  it.each([
    ["it is found", 1, 0],
    ["it is told", 2, 1],
  ])("costs no other one, and is named: as %s", async (_, time, steps) => {
    whenKindIsRead((now) => {
      if (now >= time) throw new TypeError("no such kind");
      return "chain";
    });
    const { source, list } = await sourceOf({ "a.jsonl": `${GOOD}\n${HOSTILE_LINE}` });
    const { ids, warnings } = await list();
    expect(ids).toEqual([traceId(2), traceId(1)]);
    expect(new Set(warnings!.map((warning) => JSON.stringify(warning)))).toEqual(
      new Set([JSON.stringify({ file: "a.jsonl", line: 2, reason: REASON })]),
    );
    const events = (await source.loadTraceEnvelopes("shop", traceId(2))).map(({ event }) => event);
    expect(events.filter(({ type }) => type === "turn.start")).toHaveLength(1);
    expect(events.filter(({ type, name }) => type === "span" && name === "step")).toHaveLength(steps);
    expect(await source.loadTraceEnvelopes("shop", traceId(1))).toHaveLength(7);
  });

  it("is told again where its file is gone meanwhile: until then its session stays as it was", async () => {
    const { file, list } = await sourceOf({ "a.jsonl": HOSTILE_LINE, "b.jsonl": `${GOOD}\n` });
    whenKindIsRead((time) => {
      // Calls 1 to 3 are for the first list: discovery, begin and end; call 4 begins the second one.
      if (time === 4) rmSync(file("a.jsonl"));
      return "chain";
    });
    expect(await list()).toEqual({ ids: [traceId(2), traceId(1)], warnings: [] });
    await appendFile(file("a.jsonl"), jsonLines(request(tool({ id: 9, trace: 2, from: 23, to: 24 }))));
    const reason = expect.stringMatching(/^belongs to sessions that are not up to date: /);
    expect(await list()).toEqual({
      ids: [traceId(2), traceId(1)],
      warnings: [{ file: "a.jsonl", line: 1, reason }],
    });
    expect(await list()).toEqual({ ids: [traceId(1)], warnings: [] });
  });
});

describe("A file of spans that cannot be read", () => {
  it("costs no other one, is named, and is read as soon as it can be", async () => {
    const other = jsonLines(request(agent({ trace: 2, from: 20, to: 29 })));
    const { file, list } = await sourceOf({ "a.jsonl": other, "b.jsonl": `${GOOD}\n` });
    await chmod(file("a.jsonl"), 0);
    await withoutPrivileges(async () => {
      const { ids, warnings } = await list();
      expect(ids).toEqual([traceId(1)]);
      const reason = expect.stringMatching(/^and all later lines: a\.jsonl cannot be read/);
      expect(warnings).toEqual([{ file: "a.jsonl", line: 1, reason }]);
    });
    await chmod(file("a.jsonl"), 0o644);
    expect(await list()).toEqual({ ids: [traceId(2), traceId(1)], warnings: [] });
  });

  it("is forgotten when it is gone, also if it was the only one", async () => {
    const { file, list } = await sourceOf({ "a.jsonl": `${GOOD}\n` });
    await chmod(file("a.jsonl"), 0);
    await withoutPrivileges(async () => expect((await list()).warnings).toHaveLength(1));
    rmSync(file("a.jsonl"));
    expect(await list()).toEqual({ ids: [], warnings: [] });
  });
});
