import { afterEach, describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import type { RecordStream } from "../../src/application/ports/record-stream.js";
import { type ContractSession, envelopeText, NOON } from "./fixture.js";

/** The parts of the contract, by which a source that cannot hold such records skips them with a reason. */
export type ContractPart =
  | "sessions"
  | "order"
  | "absence"
  | "ownership"
  | "unknown events"
  | "unicode"
  | "big integers"
  | "tenants"
  | "several traces"
  | "orchestration"
  | "many records"
  | "streams"
  | "cancellation";

/** Makes a source that holds exactly these sessions. */
export type CreateContractSource = (
  sessions: readonly ContractSession[],
) => InspectorDataSource | Promise<InspectorDataSource>;

export interface ContractOptions {
  /** Parts to leave out, each with the reason, which the report shows. */
  readonly skip?: Partial<Record<ContractPart, string>>;
}

const SESSION: ContractSession = { tenantId: "acme", sessionId: "s1", userId: "ada", createdAt: NOON };

/**
 * The contract of `InspectorDataSource` as a test suite (Vitest). A source of your own that passes it works with the
 * inspector.
 *
 * @example
 * describeInspectorDataSource("MySource", (sessions) => new MySource(fill(sessions)));
 */
export function describeInspectorDataSource(
  name: string,
  createSource: CreateContractSource,
  { skip = {} }: ContractOptions = {},
): void {
  describe(`${name} as an InspectorDataSource`, () => {
    const opened: InspectorDataSource[] = [];
    const open = async (...sessions: readonly ContractSession[]): Promise<InspectorDataSource> => {
      const source = await createSource(sessions);
      opened.push(source);
      return source;
    };
    afterEach(async () => {
      for (const source of opened.splice(0)) await source.close?.();
    });

    /** One part; a skipped one is reported by its name and its reason. */
    const part = (partName: ContractPart, body: () => void) => {
      const reason = skip[partName];
      if (reason === undefined) describe(partName, body);
      else describe.skip(`${partName} (skipped: ${reason})`, body);
    };

    part("sessions", () => {
      it("lists a session with its tokens, turns and newest instant", async () => {
        const turn = { inputTokens: 1, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 4_000 };
        const source = await open({
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
      });

      it("gives every field of an item for a session that recorded nothing", async () => {
        const source = await open({ ...SESSION, userId: "" });
        expect((await source.listSessions())[0]).toMatchObject({
          userId: "",
          turns: 0,
          tokens: 0,
          status: "idle",
          lastActive: "2026-01-15T12:00:00.000Z",
        });
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
        const source = await open(
          { ...SESSION, sessionId: "failed", envelopes: failed },
          { ...SESSION, sessionId: "recovered", envelopes: recovered },
        );
        const statuses = (await source.listSessions()).map(({ sessionId, status }) => [sessionId, status]);
        expect(statuses.sort()).toEqual([
          ["failed", "error"],
          ["recovered", "idle"],
        ]);
      });
    });

    part("order", () => {
      it("gives envelopes, orchestration events and messages in stored order", async () => {
        const numbers = Array.from({ length: 300 }, (_, i) => i);
        const source = await open({
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
        const source = await open(SESSION);
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
        const source = await open(SESSION);
        expect(await source.loadTraceEnvelopes("acme", "s1")).toEqual([]);
        expect(await source.loadOrchestrationEvents("acme", "s1")).toEqual([]);
        expect(await source.loadOrchestrationState("acme", "s1")).toBeNull();
        expect(await source.loadMessages("acme", "s1")).toEqual([]);
      });

      it("lists nothing where there is nothing", async () => {
        expect(await (await open()).listSessions()).toEqual([]);
      });

      it("tells a known session from an unknown one, where it says so at all", async () => {
        const source = await open(SESSION);
        if (source.hasSession === undefined) return;
        expect(await source.hasSession("acme", "s1")).toBe(true);
        expect(await source.hasSession("acme", "unknown")).toBe(false);
        expect(await source.hasSession("unknown", "s1")).toBe(false);
      });
    });

    part("ownership", () => {
      it("is not changed by a caller who changes what it returned", async () => {
        const source = await open({
          ...SESSION,
          envelopes: [envelopeText(0, { type: "tool.start", input: { path: "a" } })],
          messages: [JSON.stringify({ role: "user", content: [{ type: "text", text: "hello" }] })],
          orchestrationEvents: [
            JSON.stringify({ eventId: "e1", type: "agent_spawned", agent: { id: "a1" } }),
          ],
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
        const source = await open({
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
        const source = await open({
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

    part("big integers", () => {
      it("streams numbers that no double holds, and fields in their order, as they were stored", async () => {
        const message = '{"z":9007199254740993,"a":1.10,"role":"user","id":123456789012345678901234567890}';
        const envelope = `{"event":{"type":"x","big":9007199254740993},${envelopeText(0, {}).slice(1)}`;
        const source = await open({ ...SESSION, messages: [message], envelopes: [envelope] });
        if (source.streamMessages !== undefined) {
          expect(await textOf(await source.streamMessages("acme", "s1"))).toBe(message);
        }
        if (source.streamTraceEnvelopes !== undefined) {
          expect(await textOf(await source.streamTraceEnvelopes("acme", "s1"))).toBe(envelope);
        }
        expect(await source.loadMessages("acme", "s1")).toHaveLength(1);
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
        const source = await open(sessionOf("acme"), sessionOf("globex"));
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
        const source = await open({
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
        const source = await open({
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
      it("gives 50,000 envelopes and messages", { timeout: 120_000 }, async () => {
        const numbers = Array.from({ length: 50_000 }, (_, i) => i);
        const source = await open({
          ...SESSION,
          envelopes: numbers.map((i) => envelopeText(i, { type: "tool.end", output: `output ${i}` })),
          messages: numbers.map((i) => JSON.stringify({ role: "user", content: `message ${i}` })),
        });
        const envelopes = await source.loadTraceEnvelopes("acme", "s1");
        expect(envelopes).toHaveLength(50_000);
        expect(envelopes.findIndex((envelope, i) => envelope.sequence !== i)).toBe(-1);
        const messages = await source.loadMessages("acme", "s1");
        expect(messages.findIndex((message, i) => message.content !== `message ${i}`)).toBe(-1);
        expect(messages).toHaveLength(50_000);
      });
    });

    part("streams", () => {
      it("streams the records that it loads, in any order and any part, where it streams", async () => {
        const source = await open({
          ...SESSION,
          envelopes: [4, 0, 3].map((i) => envelopeText(i, { type: "x", text: "é".repeat(i) })),
          messages: ["a", "b", "c", "d"].map((content) => JSON.stringify({ role: "user", content })),
        });
        const trace = await source.streamTraceEnvelopes?.("acme", "s1");
        if (trace !== undefined) {
          expect(parse(await textOf(trace))).toEqual(await source.loadTraceEnvelopes("acme", "s1"));
          expect(trace.keys.size).toBe(3);
          expect([0, 1, 2].map((i) => trace.keys.sequenceAt(i))).toEqual([4, 0, 3]);
          expect(trace.keys.instantAt(1)).toBe(NOON);
          expect(trace.keys.traceId(trace.keys.traceAt(2))).toBe("t1");
        }
        const messages = await source.streamMessages?.("acme", "s1");
        if (messages !== undefined) {
          expect(messages.size).toBe(4);
          expect(messages.warnings).toEqual([]);
          const positions = Uint32Array.of(3, 1, 0, 2);
          expect(parse(await textOf(messages, { positions, from: 1, to: 4 }))).toMatchObject([
            { content: "b" },
            { content: "a" },
            { content: "c" },
          ]);
        }
      });
    });

    part("cancellation", () => {
      it("stops a stream whose reader has gone, with the reader's reason", async () => {
        const source = await open({
          ...SESSION,
          messages: Array.from({ length: 20_000 }, (_, i) => JSON.stringify({ content: "x".repeat(i % 99) })),
        });
        const messages = await source.streamMessages?.("acme", "s1");
        if (messages === undefined) return;
        const controller = new AbortController();
        const reason = new Error("the reader has gone");
        const read = async () => {
          const selection = { from: 0, to: messages.size };
          for await (const _ of messages.read(selection, { signal: controller.signal }))
            controller.abort(reason);
        };
        await expect(read()).rejects.toBe(reason);
      });
    });
  });
}

async function textOf(
  stream: RecordStream,
  selection: Parameters<RecordStream["read"]>[0] = { from: 0, to: stream.size },
): Promise<string> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  for await (const batch of stream.read(selection)) {
    for (let i = 0; i < batch.size; i++) {
      texts.push(decoder.decode(batch.text.subarray(batch.start(i), batch.end(i))));
    }
  }
  return texts.join(",");
}

function parse(texts: string): unknown {
  return JSON.parse(`[${texts}]`);
}

/** Overwrites and empties everything that can be reached. */
function destroy(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    destroy(inner);
    (value as Record<string, unknown>)[key] = "destroyed";
  }
  if (Array.isArray(value)) value.length = 0;
}
