import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SUMMARY_PREFIX } from "./compaction.js";
import { tryApp } from "./tried-app.js";

let app: Awaited<ReturnType<typeof tryApp>>;

const SESSION = { tenantId: "acme", sessionId: "s1", userId: "ada" };

beforeAll(async () => {
  app = await tryApp();
  for (const message of [
    "What files are there?",
    "Read link.txt",
    'Delegate a review of plan.md, and find "inspector"',
    "Read plan.md",
    'Search for "inspector"',
  ]) {
    await app.chat({ ...SESSION, message });
  }
});

afterAll(() => app.close());

describe("the agent application, read back over HTTP", () => {
  it("is healthy", async () => {
    expect(await app.health()).toEqual({ status: "ok" });
  });

  it("lists the session with its turns, and the tokens that the model reported", async () => {
    expect(await app.session("s1")).toMatchObject({
      ...SESSION,
      userId: "ada",
      title: "What files are there?",
      turns: 5,
      tokens: app.reported.reduce((sum, tokens) => sum + tokens, 0),
      status: "idle",
    });
  });

  it("answers the trace in the order of its sequence", async () => {
    const sequences = (await app.trace("s1")).map((envelope) => envelope.sequence);
    expect(sequences.length).toBeGreaterThan(60);
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
  });

  it.each(["llm", "tool", "turn"])("pairs every %s.start with its end", async (kind) => {
    const events = (await app.trace("s1")).map(
      ({ event, traceId }) => ({ ...event, traceId }) as Record<string, unknown>,
    );
    const keys = (type: string) =>
      events
        .filter((event) => event.type === type)
        .map((event) => `${event.traceId} ${event.callId ?? event.toolCallId ?? event.turnIndex}`)
        .sort();
    expect(keys(`${kind}.start`).length).toBeGreaterThan(0);
    expect(keys(`${kind}.end`)).toEqual(keys(`${kind}.start`));
  });

  it("keeps the agent in its folder, and records the refusal as the tool's error", async () => {
    const envelopes = await app.trace("s1");
    const refusal = envelopes.find(({ event }) => event.type === "tool.end" && event.isError === true)?.event;
    expect(refusal).toMatchObject({ toolName: "read_file", output: '"link.txt" is outside of the folder.' });
    expect(JSON.stringify(envelopes)).not.toContain("nobody may read this");
  });

  it("shows both sub-agents closed, each with what it reported", async () => {
    const agents = await app.agents("s1");
    expect(agents.map(({ role }) => role).sort()).toEqual(["researcher", "reviewer"]);
    for (const agent of agents) {
      expect(agent).toMatchObject({ status: "closed", lastJob: { outcome: "completed" } });
      expect(agent.lastJob?.outputText).toContain("inspector");
      const own = (await app.trace("s1")).filter(
        ({ event, source }) => source === "runtime" && event.agentId === agent.agentId,
      );
      expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(1);
      expect(own.filter(({ event }) => event.type === "tool.end").length).toBeGreaterThan(0);
    }
  });

  it("resolves every wait, and completes the run", async () => {
    const types = (await app.trace("s1"))
      .filter(({ source }) => source === "orchestration")
      .map(({ event }) => event.type);
    const count = (type: string) => types.filter((candidate) => candidate === type).length;
    expect(count("wait_registered")).toBe(2);
    expect(count("wait_resolved")).toBe(2);
    expect(types[0]).toBe("run_started");
    expect(types.at(-1)).toBe("run_completed");
  });

  it("goes on with a summary after a compaction", async () => {
    const ends = (await app.trace("s1"))
      .filter(({ event }) => event.type === "compaction.end")
      .map(({ event }) => event);
    expect(ends).toHaveLength(1);
    expect(Number(ends[0]?.tokensBefore)).toBeGreaterThan(600);
    expect(Number(ends[0]?.tokensAfter)).toBeLessThan(200);
    const [summary, ...rest] = await app.messages("s1");
    expect(summary?.content).toMatch(new RegExp(`^${SUMMARY_PREFIX}.*What files are there`, "s"));
    expect(rest[0]).toEqual({ role: "user", content: "Read plan.md" });
    const turn = ["user", "assistant", "tool", "assistant"];
    expect(rest.map(({ role }) => role)).toEqual([...turn, ...turn]);
  });

  it("archives the conversation that the summary replaced", async () => {
    const archive = path.join(app.dataDir, "tenants/acme/sessions/s1/messages.compactions/0001.jsonl");
    const first = (await readFile(archive, "utf8")).split("\n")[0] ?? "";
    expect(JSON.parse(first)).toEqual({ role: "user", content: "What files are there?" });
  });

  it("stores the messages of the ai package as they are", async () => {
    const [, , call, result] = await app.messages("s1");
    expect(call).toMatchObject({
      role: "assistant",
      content: [{ type: "tool-call", toolName: "read_file", input: { path: "plan.md" } }],
    });
    expect(result).toMatchObject({
      role: "tool",
      content: [{ type: "tool-result", output: { type: "text", value: expect.stringMatching(/^# Plan/) } }],
    });
  });

  it("records a turn that the provider broke", async () => {
    const { status, body } = await app.chat({ ...SESSION, sessionId: "s2", message: "Now break down" });
    expect({ status, error: body.error }).toEqual({ status: 502, error: "The provider is down" });
    const events = (await app.trace("s2")).map(({ event }) => event);
    expect(events.find(({ type }) => type === "error")).toMatchObject({
      error: { message: "The provider is down" },
    });
    expect(events.at(-1)).toMatchObject({ type: "turn.end", outcome: "failed" });
    expect((await app.session("s2"))?.status).toBe("error");
  });

  it.each([{}, { message: "" }, { message: "hi", sessionId: "../x" }, { message: "hi", tenantId: ".." }])(
    "refuses %j",
    async (body) => {
      expect((await app.chat(body)).status).toBe(400);
    },
  );
});
