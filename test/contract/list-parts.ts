import { expect, it } from "vitest";
import type { InspectorSessionItem } from "../../src/domain/session/session.js";
import { NO_USAGE } from "../../src/domain/usage/token-usage.js";
import { type ContractSession, envelopeText, NOON } from "./fixture.js";
import { type ContractSuite, needed, SESSION } from "./suite.js";

export function describeLists({ open, part }: ContractSuite): void {
  part("sessions", () => {
    it("lists a session with its tokens, turns and newest instant", async () => {
      const turn = { inputTokens: 1, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 4_000 };
      const { source } = await open({
        ...SESSION,
        title: "A title",
        turns: [
          { ...turn, updatedAt: NOON + 1_000 },
          { ...turn, updatedAt: NOON + 90_000 },
        ],
      });
      const [item, ...others] = await source.listSessions();
      expect(others).toEqual([]);
      expect(item).toMatchObject({
        tenantId: "acme",
        sessionId: "s1",
        userId: "ada",
        title: "A title",
        turns: 2,
        tokens: 8_642,
        status: "idle",
        lastActive: "2026-01-15T12:01:30.000Z",
      });
      expectListedFacts(item!);
    });

    it("counts a turn once that was recorded, and whose end was not", async () => {
      const begun = Date.now() - 60_000;
      const second = (begun - NOON) / 1_000;
      const { source } = await open({
        ...SESSION,
        createdAt: begun,
        turns: [{ ...NO_USAGE, inputTokens: 10, updatedAt: begun + 3_000 }],
        envelopes: [envelopeText(0, { type: "turn.start", turnIndex: 0 }, { second })],
      });
      expect(await source.listSessions()).toMatchObject([{ turns: 1, tokens: 10, status: "running" }]);
    });

    it("counts of a turn that goes on what is recorded so far, and of one that is over its record", async (test) => {
      const begun = Date.now() - 60_000;
      const at = (second: number) => (begun + second * 1_000 - NOON) / 1_000;
      const event = (sequence: number, second: number, fields: object) =>
        envelopeText(sequence, fields, { second: at(second) });
      const call = (sequence: number, second: number, inputTokens: number) =>
        event(sequence, second, {
          type: "llm.end",
          callId: `c${sequence}`,
          usage: { inputTokens, outputTokens: 1 },
        });
      const turn = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const { source, ...store } = await open({
        ...SESSION,
        createdAt: begun,
        turns: [{ ...turn, updatedAt: begun + 3_000 }],
        envelopes: [
          event(0, 0, { type: "turn.start", turnIndex: 0 }),
          call(1, 1, 10),
          event(2, 2, { type: "turn.end", turnIndex: 0, outcome: "completed" }),
        ],
      });
      const append = needed(test, "append", store.append);
      const counted = async () => {
        const [item] = await source.listSessions();
        return { turns: item?.turns, tokens: item?.tokens, status: item?.status };
      };
      expect(await counted()).toEqual({ turns: 1, tokens: 11, status: "idle" });
      await append({
        ...SESSION,
        envelopes: [event(3, 10, { type: "turn.start", turnIndex: 1 }), call(4, 11, 200)],
      });
      expect(await counted()).toEqual({ turns: 2, tokens: 212, status: "running" });
      await append({ ...SESSION, envelopes: [call(5, 12, 3_000)] });
      expect(await counted()).toEqual({ turns: 2, tokens: 3_213, status: "running" });
      await append({
        ...SESSION,
        turns: [{ ...turn, inputTokens: 3_200, outputTokens: 2, updatedAt: begun + 14_000 }],
        envelopes: [event(6, 13, { type: "turn.end", turnIndex: 1, outcome: "completed" })],
      });
      expect(await counted()).toEqual({ turns: 2, tokens: 3_213, status: "idle" });
    });

    it("gives every field of an item for a session that recorded nothing", async () => {
      const { source } = await open({ ...SESSION, userId: "" });
      expect((await source.listSessions())[0]).toMatchObject({
        userId: "",
        turns: 0,
        tokens: 0,
        status: "idle",
        lastActive: "2026-01-15T12:00:00.000Z",
      });
    });

    it("says of a session that failed what it knows: a count of errors, and short lines of text", async () => {
      const said = "What has to be said at length. ".repeat(40);
      const envelopes = [
        envelopeText(0, { type: "turn.start", turnIndex: 0, input: `Asked. ${said}` }),
        envelopeText(1, { type: "llm.start", callId: "c1", model: "a-model" }),
        envelopeText(2, { type: "tool.start", toolCallId: "t1", toolName: "Bash" }),
        envelopeText(3, { type: "tool.end", toolCallId: "t1", toolName: "Bash", isError: true }),
        envelopeText(4, { type: "text", text: said }),
        envelopeText(5, { type: "turn.end", turnIndex: 0, outcome: "failed" }),
      ];
      const { source } = await open({ ...SESSION, envelopes });
      const [item] = await source.listSessions();
      expectListedFacts(item!);
      expect(item!.errors ?? 1).toBeGreaterThan(0);
    });

    it("calls a session whose newest turn failed an error, and one that recovered idle", async () => {
      const failed = [
        envelopeText(0, { type: "turn.start", turnIndex: 0 }),
        envelopeText(1, { type: "turn.end", turnIndex: 0, outcome: "failed" }),
      ];
      const recovered = [
        ...failed,
        envelopeText(2, { type: "turn.start", turnIndex: 1 }),
        envelopeText(3, { type: "turn.end", turnIndex: 1, outcome: "completed" }),
      ];
      const { source } = await open(
        { ...SESSION, sessionId: "failed", envelopes: failed },
        { ...SESSION, sessionId: "recovered", envelopes: recovered },
      );
      const statuses = (await source.listSessions()).map(({ sessionId, status }) => [sessionId, status]);
      expect(statuses.sort()).toEqual([
        ["failed", "error"],
        ["recovered", "idle"],
      ]);
    });

    it("says that a session waits for a person, however long ago it asked, and what it asks", async () => {
      const asking = [
        envelopeText(0, { type: "turn.start", turnIndex: 0 }),
        envelopeText(1, {
          type: "tool.start",
          toolCallId: "c1",
          toolName: "AskUserQuestion",
          input: { questions: [{ question: "Which\nregion?" }] },
        }),
      ];
      const answered = [...asking, envelopeText(2, { type: "tool.end", toolCallId: "c1", output: "eu" })];
      const { source } = await open(
        { ...SESSION, sessionId: "asking", envelopes: asking },
        { ...SESSION, sessionId: "answered", envelopes: answered },
      );
      const items = await source.listSessions();
      const told = items.map(({ sessionId, status, waitingFor }) => [sessionId, status, waitingFor]);
      expect(told.sort()).toEqual([
        ["answered", "idle", undefined],
        ["asking", "waiting", "Which region?"],
      ]);
      for (const item of items) expectListedFacts(item);
    });
  });

  part("order", () => {
    it("gives envelopes, orchestration events and messages in stored order", async () => {
      const numbers = Array.from({ length: 300 }, (_, i) => i);
      const { source } = await open({
        ...SESSION,
        envelopes: numbers.map((i) => envelopeText(i, { type: "tool.start", toolCallId: `c${i}` })),
        orchestrationEvents: numbers.map((i) => JSON.stringify({ eventId: `e${i}`, type: "x" })),
        messages: numbers.map((i) => JSON.stringify({ role: "user", content: `m${i}` })),
      });
      const envelopes = await source.loadTraceEnvelopes("acme", "s1");
      expect(envelopes.map((envelope) => envelope.sequence)).toEqual(numbers);
      const events = await source.loadOrchestrationEvents("acme", "s1");
      expect(events.map((event) => (event as { eventId: string }).eventId)).toEqual(
        numbers.map((i) => `e${i}`),
      );
      const messages = await source.loadMessages("acme", "s1");
      expect(messages.map((message) => message.content)).toEqual(numbers.map((i) => `m${i}`));
    });
  });

  part("absence", () => {
    it("has empty lists and no state for a session that it does not know", async () => {
      const { source } = await open(SESSION);
      for (const [tenantId, sessionId] of [
        ["acme", "unknown"],
        ["unknown", "s1"],
      ] as const) {
        expect(await source.loadTraceEnvelopes(tenantId, sessionId)).toEqual([]);
        expect(await source.loadOrchestrationEvents(tenantId, sessionId)).toEqual([]);
        expect(await source.loadOrchestrationState(tenantId, sessionId)).toBeNull();
        expect(await source.loadMessages(tenantId, sessionId)).toEqual([]);
      }
    });

    it("has empty lists and no state for a session that recorded nothing", async () => {
      const { source } = await open(SESSION);
      expect(await source.loadTraceEnvelopes("acme", "s1")).toEqual([]);
      expect(await source.loadOrchestrationEvents("acme", "s1")).toEqual([]);
      expect(await source.loadOrchestrationState("acme", "s1")).toBeNull();
      expect(await source.loadMessages("acme", "s1")).toEqual([]);
    });

    it("lists nothing where there is nothing", async () => {
      expect(await (await open()).source.listSessions()).toEqual([]);
    });
  });

  part("ownership", () => {
    it("is not changed by a caller who changes what it returned", async () => {
      const { source } = await open({
        ...SESSION,
        envelopes: [envelopeText(0, { type: "tool.start", input: { path: "a" } })],
        messages: [JSON.stringify({ role: "user", content: [{ type: "text", text: "hello" }] })],
        orchestrationEvents: [JSON.stringify({ eventId: "e1", type: "agent_spawned", agent: { id: "a1" } })],
      });
      const read = async () => ({
        sessions: await source.listSessions(),
        envelopes: await source.loadTraceEnvelopes("acme", "s1"),
        events: await source.loadOrchestrationEvents("acme", "s1"),
        state: await source.loadOrchestrationState("acme", "s1"),
        messages: await source.loadMessages("acme", "s1"),
      });
      const before = structuredClone(await read());
      destroy(await read());
      expect(await read()).toEqual(before);
    });
  });

  part("unknown events", () => {
    it("passes on events, fields and messages that it does not know", async () => {
      const event = { type: "vendor.quantum_leap", qubits: [1, null, { deep: true }] };
      const orchestration = { eventId: "e1", type: "agent_teleported", to: "mars" };
      const message = { role: "oracle", content: 42, extra: { a: [] } };
      const { source } = await open({
        ...SESSION,
        envelopes: [envelopeText(0, event)],
        orchestrationEvents: [JSON.stringify(orchestration)],
        messages: [JSON.stringify(message)],
      });
      expect((await source.loadTraceEnvelopes("acme", "s1"))[0]?.event).toEqual(event);
      expect(await source.loadOrchestrationEvents("acme", "s1")).toEqual([orchestration]);
      expect(await source.loadMessages("acme", "s1")).toEqual([message]);
    });
  });

  part("unicode", () => {
    it("keeps text of every script, and line ends inside strings", async () => {
      const content = '日本語 🦜 \u{1F469}\u200D\u{1F680} עברית \u2028 \n \r\n \t \\ " \u0001 é e\u0301';
      const { source } = await open({
        ...SESSION,
        title: content,
        envelopes: [envelopeText(0, { type: "llm.end", text: content })],
        messages: [JSON.stringify({ role: "user", content })],
      });
      expect((await source.listSessions())[0]?.title).toBe(content);
      expect((await source.loadTraceEnvelopes("acme", "s1"))[0]?.event.text).toBe(content);
      expect((await source.loadMessages("acme", "s1"))[0]?.content).toBe(content);
    });
  });

  part("tenants", () => {
    it("keeps sessions of the same id in two tenants apart", async () => {
      const sessionOf = (tenantId: string): ContractSession => ({
        ...SESSION,
        tenantId,
        userId: `user of ${tenantId}`,
        envelopes: [envelopeText(0, { type: "x", of: tenantId }, { tenantId })],
        messages: [JSON.stringify({ role: "user", content: tenantId })],
        orchestrationEvents: [JSON.stringify({ eventId: "e1", type: "x", of: tenantId })],
      });
      const { source } = await open(sessionOf("acme"), sessionOf("globex"));
      const users = (await source.listSessions()).map(({ tenantId, userId }) => [tenantId, userId]);
      expect(users.sort()).toEqual([
        ["acme", "user of acme"],
        ["globex", "user of globex"],
      ]);
      for (const tenantId of ["acme", "globex"]) {
        expect((await source.loadTraceEnvelopes(tenantId, "s1"))[0]?.event.of).toBe(tenantId);
        expect((await source.loadMessages(tenantId, "s1"))[0]?.content).toBe(tenantId);
        expect(await source.loadOrchestrationEvents(tenantId, "s1")).toMatchObject([{ of: tenantId }]);
      }
    });
  });

  part("several traces", () => {
    it("gives the envelopes of all traces of a session, each counted from 0", async () => {
      const { source } = await open({
        ...SESSION,
        envelopes: ["t1", "t2", "t3"].flatMap((traceId, trace) =>
          [0, 1].map((i) => envelopeText(i, { type: "x" }, { traceId, second: trace * 10 + i })),
        ),
      });
      const envelopes = await source.loadTraceEnvelopes("acme", "s1");
      expect(envelopes.map(({ traceId, sequence }) => `${traceId} ${sequence}`)).toEqual([
        "t1 0",
        "t1 1",
        "t2 0",
        "t2 1",
        "t3 0",
        "t3 1",
      ]);
    });
  });

  part("orchestration", () => {
    it("has the state after all events", async () => {
      const events = [
        { eventId: "e1", type: "agent_spawned", agent: { id: "a1", role: "researcher" } },
        { eventId: "e2", type: "agent_job_started", agentId: "a1", jobId: "j1" },
        {
          eventId: "e3",
          type: "agent_job_completed",
          agentId: "a1",
          job: { jobId: "j1", outcome: "completed" },
        },
        { eventId: "e4", type: "agent_closed", close: { agentId: "a1" } },
      ].map((event, i) => ({
        ...event,
        runId: "r1",
        occurredAt: new Date(NOON + i * 1_000).toISOString(),
      }));
      const { source } = await open({
        ...SESSION,
        orchestrationEvents: events.map((event) => JSON.stringify(event)),
      });
      const state = await source.loadOrchestrationState("acme", "s1");
      expect(state?.snapshot.agents.a1).toMatchObject({
        id: "a1",
        role: "researcher",
        status: "closed",
        createdAt: "2026-01-15T12:00:00.000Z",
        closedAt: "2026-01-15T12:00:03.000Z",
        lastJob: { jobId: "j1", outcome: "completed" },
      });
    });
  });

  part("many records", () => {
    it("gives 5,000 envelopes and messages", { timeout: 15_000 }, async () => {
      const numbers = Array.from({ length: 5_000 }, (_, i) => i);
      const { source } = await open({
        ...SESSION,
        envelopes: numbers.map((i) => envelopeText(i, { type: "tool.end", output: `output ${i}` })),
        messages: numbers.map((i) => JSON.stringify({ role: "user", content: `message ${i}` })),
      });
      const envelopes = await source.loadTraceEnvelopes("acme", "s1");
      expect(envelopes).toHaveLength(5_000);
      expect(envelopes.findIndex((envelope, i) => envelope.sequence !== i)).toBe(-1);
      const messages = await source.loadMessages("acme", "s1");
      expect(messages.findIndex((message, i) => message.content !== `message ${i}`)).toBe(-1);
      expect(messages).toHaveLength(5_000);
    });
  });
}

function destroy(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    destroy(inner);
    (value as Record<string, unknown>)[key] = "destroyed";
  }
  if (Array.isArray(value)) value.length = 0;
}

function expectListedFacts({ errors, title, prompt, model, lastAnswer }: InspectorSessionItem): void {
  if (errors !== undefined) {
    expect(Number.isSafeInteger(errors)).toBe(true);
    expect(errors).toBeGreaterThanOrEqual(0);
  }
  for (const line of [prompt, model, lastAnswer]) {
    if (line === undefined) continue;
    expect(line.length).toBeGreaterThan(0);
    expect(line.length).toBeLessThanOrEqual(300);
    expect(line).toBe(line.replace(/\s+/g, " ").trim());
  }
  if (prompt !== undefined) expect(title?.startsWith(prompt) ?? false).toBe(false);
}
