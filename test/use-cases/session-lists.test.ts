import { describe, expect, it } from "vitest";
import {
  GetSessionMessages,
  GetSessionOrchestration,
  GetSessionTrace,
  InvalidRequestError,
  SessionNotFoundError,
} from "../../src/advanced.js";
import type { WorkflowTraceEventEnvelope } from "../../src/index.js";
import { envelopeText } from "../contract/fixture.js";
import { handMadeSnapshot, handMadeSource } from "../support/hand-made-source.js";
import { recordsOf } from "../support/list-records.js";

const REQUEST = { tenantId: "acme", sessionId: "s1" };

const envelope = (sequence: number, traceId = "t1") =>
  JSON.parse(envelopeText(sequence, { type: "x" }, { traceId })) as WorkflowTraceEventEnvelope;

const traceOf = (runtime: readonly WorkflowTraceEventEnvelope[], events: readonly unknown[]) =>
  new GetSessionTrace(
    handMadeSource({
      loadTraceEnvelopes: async () => [...runtime],
      loadOrchestrationEvents: async () => [...events],
    }),
  );

const EVENTS = ["agent_spawned", "agent_closed"].map((type, i) => ({ eventId: `e${i}`, type }));

describe("GetSessionTrace", () => {
  it.each([
    [
      "stored sequences",
      [envelope(0), envelope(4), envelope(9)],
      [
        [0, 0],
        [1, 4],
        [4, 4],
        [5, 9],
        [9, 9],
        [10, 10],
        [11, 11],
      ],
    ],
    [
      "sequences of its own",
      [envelope(0), envelope(4), envelope(0, "t2")],
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
      ],
    ],
    [
      "no runtime events",
      [],
      [
        [0, 0],
        [1, 1],
      ],
    ],
  ] as const)(
    "begins at a sequence, or at the next one that there is, of a list with %s",
    async (_, runtime, places) => {
      for (const [from, first] of places) {
        const window = { from, limit: 1 };
        const records = await recordsOf<WorkflowTraceEventEnvelope>(
          await traceOf(runtime, EVENTS).execute({ ...REQUEST, window }),
        );
        expect(records.map(({ sequence }) => sequence)).toEqual([first]);
      }
      const behind = await traceOf(runtime, EVENTS).execute({ ...REQUEST, window: { from: 99, limit: 1 } });
      expect(await recordsOf(behind)).toEqual([]);
      expect(behind).toMatchObject({ nextCursor: null });
    },
  );

  it("appends orchestration events, numbered on from the last runtime event", async () => {
    const list = await traceOf([envelope(0), envelope(4)], EVENTS).execute(REQUEST);
    const records = await recordsOf<WorkflowTraceEventEnvelope>(list);
    expect(records.map(({ sequence, source }) => `${sequence} ${source}`)).toEqual([
      "0 runtime",
      "4 runtime",
      "5 orchestration",
      "6 orchestration",
    ]);
  });

  it("pages across the border of runtime and orchestration events", async () => {
    const trace = traceOf([envelope(0), envelope(1), envelope(2)], EVENTS);
    const sequences: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 3; page++) {
      const list = await trace.execute({ ...REQUEST, window: { limit: 2, cursor } });
      if (list.isUnchanged) throw new Error("unchanged");
      sequences.push(...(await recordsOf<WorkflowTraceEventEnvelope>(list)).map(({ sequence }) => sequence));
      cursor = list.nextCursor ?? undefined;
    }
    expect(sequences).toEqual([0, 1, 2, 3, 4]);
    expect(cursor).toBeUndefined();
  });

  it("does not ask for orchestration events that are not in the window", async () => {
    const trace = new GetSessionTrace(
      handMadeSource({ loadTraceEnvelopes: async () => [envelope(0), envelope(1)] }),
    );
    expect(await recordsOf(await trace.execute({ ...REQUEST, window: { limit: 1 } }))).toHaveLength(1);
  });

  it("numbers anew in the text of a record, and leaves every other byte", async () => {
    const runtime = [envelope(0, "t1"), envelope(0, "t2")];
    const [, second] = await recordsOf(await traceOf(runtime, []).execute(REQUEST));
    expect(second).toEqual({ ...runtime[1], sequence: 1 });
  });
});

describe("GetSessionMessages", () => {
  const messages = [1, 2, 3].map((content) => ({ role: "user", content }));
  const get = new GetSessionMessages(handMadeSource({ loadMessages: async () => messages }));

  it("gives the messages in stored order, whole and in windows", async () => {
    expect(await recordsOf(await get.execute(REQUEST))).toEqual(messages);
    const first = await get.execute({ ...REQUEST, window: { limit: 2 } });
    expect(await recordsOf(first)).toEqual(messages.slice(0, 2));
    if (first.isUnchanged) throw new Error("unchanged");
    const rest = await get.execute({ ...REQUEST, window: { cursor: first.nextCursor ?? "" } });
    expect(await recordsOf(rest)).toEqual(messages.slice(2));
    expect(rest).not.toHaveProperty("nextCursor");
  });

  it("refuses the cursor of another session", async () => {
    const first = await get.execute({ ...REQUEST, window: { limit: 1 } });
    if (first.isUnchanged) throw new Error("unchanged");
    const elsewhere = { tenantId: "acme", sessionId: "s2", window: { cursor: first.nextCursor ?? "" } };
    await expect(get.execute(elsewhere)).rejects.toBeInstanceOf(InvalidRequestError);
  });
});

describe("GetSessionOrchestration", () => {
  it("lists the agents of the state, and counts the events that name them", async () => {
    const agent = { id: "a1", role: "researcher", status: "closed", createdAt: "2026-01-15T12:00:00.000Z" };
    const get = new GetSessionOrchestration(
      handMadeSource({
        loadOrchestrationState: async () => ({
          snapshot: { tasks: {}, waits: {}, queuedInputs: [], agents: { a1: agent } },
        }),
        loadOrchestrationEvents: async () => [
          { type: "agent_spawned", agent: { id: "a1" } },
          { agentId: "a1" },
        ],
      }),
    );
    expect(await recordsOf(await get.execute(REQUEST))).toEqual([
      {
        agentId: "a1",
        displayName: "researcher",
        role: "researcher",
        status: "closed",
        createdAt: "2026-01-15T12:00:00.000Z",
        events: 2,
      },
    ]);
  });

  it("replays the events where the source keeps no state", async () => {
    const get = new GetSessionOrchestration(
      handMadeSource({
        loadOrchestrationState: async () => null,
        loadOrchestrationEvents: async () => [{ type: "agent_spawned", agent: { id: "a1" } }],
      }),
    );
    expect(await recordsOf(await get.execute(REQUEST))).toMatchObject([{ agentId: "a1", status: "idle" }]);
  });
});

describe.each([
  ["GetSessionTrace", GetSessionTrace],
  ["GetSessionMessages", GetSessionMessages],
  ["GetSessionOrchestration", GetSessionOrchestration],
])("%s", (_, UseCase) => {
  it("names session and tenant where the source knows no such session", async () => {
    const get = new UseCase(handMadeSource({ openSession: async () => undefined }));
    await expect(get.execute(REQUEST)).rejects.toBeInstanceOf(SessionNotFoundError);
    await expect(get.execute(REQUEST)).rejects.toThrow(/"s1".*"acme"/);
  });

  it("loads nothing for a caller that has the revision", async () => {
    const session = handMadeSnapshot({ revision: "r1" });
    const get = new UseCase(handMadeSource({ openSession: async () => session }));
    expect(await get.execute(REQUEST, { has: (revision) => revision === "r1" })).toEqual({
      isUnchanged: true,
      revision: "r1",
    });
  });
});
