import { beforeEach, describe, expect, it } from "vitest";
import { jsonTextOf } from "../../../src/domain/json/json-text-of.js";
import { valueText } from "../../../src/domain/text/value-text.js";
import { BASE, envelopes, FakeApi, SESSION } from "../../test/support/fake-api.js";
import { oddEvents, oddMessages } from "../../test/support/odd-session.js";
import { nested, ODD_VALUES } from "../../test/support/odd-values.js";
import { type EngineMethods, engineMethods } from "./engine-methods.js";
import { type SessionState, traceQuery } from "./trace/trace-protocol.js";

let api: FakeApi;
let engine: EngineMethods;
let state: SessionState;

beforeEach(() => {
  api = new FakeApi();
  engine = engineMethods(BASE, (update) => {
    if (update.topic === "session") state = update.state;
  });
});

/** A session of odd values. */
function write(odd: () => unknown): void {
  api.change("trace", ...envelopes(...oddEvents(odd)));
  api.change("messages", ...oddMessages(odd));
  const lastJob = { outcome: odd(), error: odd(), outputText: odd() };
  api.change("orchestration", { agentId: "a", displayName: odd(), role: odd(), status: odd(), lastJob });
}

describe.each(ODD_VALUES)("A session in which everything is %s", (_, value) => {
  const text = valueText(value);

  beforeEach(async () => {
    write(() => value);
    await engine.openSession(SESSION, traceQuery({ bookkeeping: "show", order: "list" }));
  });

  it("has rows and details of texts, with all that was recorded", () => {
    expect(state.events).toBe(15);
    for (const row of engine.traceRows(0, 100)) {
      const texts = [row.name, row.preview, row.full, row.type, row.agentId, row.error ?? ""];
      expect(texts.map((one) => typeof one)).toEqual(texts.map(() => "string"));
      const { answer, bookkeeping, ...detail } = engine.traceDetail(row.id)!;
      expect(JSON.parse(engine.traceText(row.id))).toEqual(detail.start);
      expect(bookkeeping.records.map(({ preview }) => typeof preview)).not.toContain("object");
    }
    for (const { name, models } of state.tracedAgents) expect([name, ...models].every(isText)).toBe(true);
    expect([...state.models, ...state.tools.map(({ value: name }) => name)].every(isText)).toBe(true);
  });

  it("says what was asked, said and wrong", () => {
    engine.traceView(traceQuery({}));
    expect(engine.agentPrompt("a")).toBe(text);
    const call = engine.traceRows(0, 100).find(({ kind }) => kind === "llm");
    const [spoken] = engine.traceDetail(call!.id)!.answer?.texts ?? [];
    if (text !== "") expect(spoken?.text).toBe(text);
    const words = text.match(/[a-z0-9]+/gi) ?? [];
    const [error] = engine.traceRows(0, 100).filter(({ kind }) => kind === "error");
    for (const word of words.slice(0, 2)) expect(error?.error).toContain(word);
  });

  it("has a conversation and contexts, each part as text", async () => {
    await expect.poll(async () => (await engine.messagesView()).loading).toBe(false);
    const entries = await engine.messageEntries(0, 100);
    for (const entry of entries) {
      const texts = [
        entry.role,
        entry.text.text,
        entry.name,
        entry.preview,
        entry.callId,
        entry.result?.text.text,
      ];
      expect(texts.filter((one) => one !== undefined).every(isText)).toBe(true);
    }
    if (text !== "") expect(entries.map((entry) => entry.text.text)).toContain(text);
    const { calls } = await engine.contextCalls();
    expect(calls.length).toBeGreaterThan(0);
    for (const { index, answer } of calls) {
      expect(isText(answer)).toBe(true);
      const { lines } = (await engine.contextCompare(index - 1, index))!;
      for (const line of lines)
        if (line.change !== "run") expect(isText((line.after ?? line.before)!.preview)).toBe(true);
    }
    await engine.traceInput("e4");
  });

  it("leads from error to error in every view", () => {
    for (const tab of ["trace", "agents", "messages"] as const) engine.findError(tab, {}, 1, true);
    expect(engine.findError("trace", {}, 1, true).of).toBeGreaterThan(0);
  });
});

it("A session in which much is nested too deep to be followed is read to its end", async () => {
  const value = nested(10_000);
  let written = 0;
  write(() => (written++ % 17 === 0 ? value : "words"));
  await engine.openSession(SESSION, traceQuery({ bookkeeping: "show", order: "list" }));
  expect(structuredClone(state)).toMatchObject({ events: 15, agents: [{ agentId: "a" }] });
  for (const { id } of engine.traceRows(0, 100)) {
    expect(structuredClone(engine.traceDetail(id))).toBeDefined();
    expect(engine.traceText(id).length).toBeGreaterThan(0);
  }
  await expect.poll(async () => (await engine.messagesView()).loading).toBe(false);
  expect(structuredClone(await engine.messageEntries(0, 100))).not.toEqual([]);
  expect([0, 1, 2, 3].map((index) => engine.messageJson(index)).join()).toContain(jsonTextOf(value));
  expect((await engine.contextCalls()).calls).not.toEqual([]);
  expect(structuredClone(await engine.contextCompare(-1, 0))).toBeDefined();
});

function isText(value: unknown): boolean {
  return typeof value === "string";
}
