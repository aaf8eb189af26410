import { describe, expect, it } from "vitest";
import {
  GetSessionMessages,
  GetSessionOrchestration,
  GetSessionTrace,
  keysOfEnvelopes,
  streamOf,
} from "../../src/advanced.js";
import type { InspectorDataSource, RecordWarning, WorkflowTraceEventEnvelope } from "../../src/index.js";
import { envelopeText } from "../contract/fixture.js";
import { handMadeSnapshot, handMadeSource } from "../support/hand-made-source.js";
import { recordsOf } from "../support/list-records.js";

const REQUEST = { tenantId: "acme", sessionId: "s1" };

const ENVELOPES = [0, 1, 2].map(
  (sequence) => JSON.parse(envelopeText(sequence, { type: "x" })) as WorkflowTraceEventEnvelope,
);
const MESSAGES = [{ role: "user", content: "hello" }];
const EVENTS = [{ eventId: "e1", type: "agent_spawned", agent: { id: "a1", role: "researcher" } }];

const warning = (file: string): RecordWarning => ({ file, line: 2, reason: "is no object" });

/** An embedder's own store: the inspector calls nothing but `openSession`. */
function embedderSource(): { source: InspectorDataSource; asked: string[] } {
  const asked: string[] = [];
  const session = handMadeSnapshot({
    revision: "r7",
    async trace() {
      asked.push("trace");
      return { ...streamOf(ENVELOPES), warnings: [warning("trace")], keys: keysOfEnvelopes(ENVELOPES) };
    },
    async messages(agentId) {
      asked.push(`messages of ${agentId ?? "the session"}`);
      return { ...streamOf(MESSAGES), warnings: [warning("messages")] };
    },
    async orchestration() {
      asked.push("orchestration");
      return { events: { ...streamOf(EVENTS), warnings: [warning("events")] }, state: async () => null };
    },
  });
  const source = handMadeSource({
    async openSession(tenantId, sessionId) {
      asked.push(`${tenantId}/${sessionId}`);
      return session;
    },
  });
  return { source, asked };
}

describe("A source that opens sessions", () => {
  it("is asked once for the session, and for no part that the trace does not need", async () => {
    const { source, asked } = embedderSource();
    const list = await new GetSessionTrace(source).execute(REQUEST);
    const records = await recordsOf<WorkflowTraceEventEnvelope>(list);
    expect(records.map((envelope) => envelope.source)).toEqual([
      "runtime",
      "runtime",
      "runtime",
      "orchestration",
    ]);
    expect(list).toMatchObject({ revision: "r7", warnings: [warning("trace"), warning("events")] });
    expect(asked).toEqual(["acme/s1", "trace", "orchestration"]);
  });

  it("is not asked for orchestration events that are not in the window, nor reports them", async () => {
    const { source, asked } = embedderSource();
    const list = await new GetSessionTrace(source).execute({ ...REQUEST, window: { limit: 2 } });
    expect(await recordsOf(list)).toHaveLength(2);
    expect(list).toMatchObject({ warnings: [warning("trace")] });
    expect(asked).toEqual(["acme/s1", "trace"]);
  });

  it("gives the messages of the session", async () => {
    const { source, asked } = embedderSource();
    const list = await new GetSessionMessages(source).execute(REQUEST);
    expect(await recordsOf(list)).toEqual(MESSAGES);
    expect(list).toMatchObject({ revision: "r7", warnings: [warning("messages")] });
    expect(asked).toEqual(["acme/s1", "messages of the session"]);
  });

  it("gives the agents of its events where it keeps no state", async () => {
    const { source, asked } = embedderSource();
    const list = await new GetSessionOrchestration(source).execute(REQUEST);
    expect(await recordsOf(list)).toMatchObject([{ agentId: "a1", role: "researcher", events: 1 }]);
    expect(list).toMatchObject({ revision: "r7", warnings: [warning("events")] });
    expect(asked).toEqual(["acme/s1", "orchestration"]);
  });

  it("gets the signal, when it opens and when it reads", async () => {
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const stream = streamOf(MESSAGES);
    const source = handMadeSource({
      async openSession(_tenantId, _sessionId, options) {
        seen.push(options?.signal);
        return handMadeSnapshot({
          messages: async () => ({
            ...stream,
            read(selection, reading) {
              seen.push(reading?.signal);
              return stream.read(selection, reading);
            },
          }),
        });
      },
    });
    await recordsOf(await new GetSessionMessages(source).execute(REQUEST, { signal }));
    expect(seen).toEqual([signal, signal]);
  });
});
