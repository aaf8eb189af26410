import { describe, expect, it } from "vitest";
import { EMPTY_END, followEnvelope } from "./session-activity.js";
import { sessionState } from "./session-state.js";

type EventInput = readonly [at: number, type: string, fields?: object];

/** Returns the state of events at their seconds, some seconds after the start. */
function stateAt(seconds: number, ...events: readonly EventInput[]) {
  const { activity, newest } = events.reduce((end, [at, type, fields]) => {
    const { traceId = "t1", ...event } = { type, ...fields } as { traceId?: string };
    return followEnvelope(end, { timestamp: new Date(at * 1000).toISOString(), traceId, event });
  }, EMPTY_END);
  const { state, status } = sessionState([activity], newest, seconds * 1000);
  const { since, ...rest } = state;
  return { ...rest, status, since: since && Date.parse(since) / 1000 };
}

const TURN: EventInput = [0, "turn.start", { turnIndex: 0 }];
const ENDS: EventInput = [99, "turn.end", { turnIndex: 0 }];
let calls = 0;
const tool = (
  at: number,
  seconds: number,
  fields: object = { toolName: "Bash" },
  end: object = {},
): EventInput[] => {
  const id = `c${calls++}`;
  return [
    [at, "tool.start", { id, ...fields }],
    [at + seconds, "tool.end", { id, ...end }],
  ];
};
const open = (at: number, toolName = "Bash"): EventInput => [at, "tool.start", { id: "open", toolName }];

describe("the state of a session", () => {
  it("is running while a call is open, since the call began", () => {
    expect(stateAt(60, TURN, open(5))).toMatchObject({ kind: "running", toolName: "Bash", since: 5 });
    expect(stateAt(60, TURN)).toMatchObject({ kind: "running", since: 0 });
  });

  it("is stalled where the call takes more than three times as long as this tool took, and a minute", () => {
    const slow = [TURN, ...tool(1, 30), open(40)];
    const quick = [TURN, ...tool(1, 2), open(40)];
    expect(stateAt(40 + 90, ...slow).kind).toBe("running");
    expect(stateAt(40 + 91, ...slow)).toMatchObject({
      kind: "stalled",
      longestMs: 30_000,
      toolCallId: "open",
      since: 40,
    });
    expect(stateAt(40 + 59, ...quick).kind).toBe("running");
    expect(stateAt(40 + 61, ...quick).kind).toBe("stalled");
    expect(stateAt(40 + 86_401, ...quick).kind).toBe("stopped");
  });

  it("is running beyond five minutes while similar calls took that long", () => {
    const slow = [TURN, ...tool(1, 600), open(700)];
    expect(stateAt(700 + 1_800, ...slow)).toMatchObject({ kind: "running", status: "idle" });
    expect(stateAt(700 + 1_801, ...slow).kind).toBe("stalled");
  });

  it("is not stalled while other work of the session is recorded", () => {
    const agent: EventInput = [400, "text", { text: "Half of it.", agentId: "a1" }];
    expect(stateAt(430, TURN, ...tool(1, 2), open(40), agent).kind).toBe("running");
  });

  it("compares no other tools: without a similar call it is stopped after five minutes", () => {
    const events = [TURN, ...tool(1, 2, { toolName: "Read" }), open(40)];
    expect(stateAt(40 + 300, ...events).kind).toBe("running");
    expect(stateAt(40 + 301, ...events)).toEqual({ kind: "stopped", status: "idle", since: undefined });
  });

  it("is running within the time limit that the call states", () => {
    const call: EventInput = [40, "tool.start", { id: "c", toolName: "Bash", input: { timeout: 600_000 } }];
    expect(stateAt(640, TURN, ...tool(1, 2), call).kind).toBe("running");
    expect(stateAt(641, TURN, ...tool(1, 2), call).kind).toBe("stalled");
  });

  it("is stalled where the model says nothing for longer than before", () => {
    const events: EventInput[] = [TURN, [1, "llm.start", { callId: "m" }], [21, "llm.end", { callId: "m" }]];
    expect(stateAt(81, ...events).kind).toBe("running");
    expect(stateAt(82, ...events)).toMatchObject({ kind: "stalled", since: 21 });
    const again: EventInput = [30, "llm.start", { callId: "n" }];
    expect(stateAt(91, ...events, again)).toMatchObject({ kind: "stalled", since: 30, longestMs: 20_000 });
  });

  it("waits for a person, without a limit, and continues after the answer", () => {
    const call: EventInput = [1, "tool.start", { toolCallId: "c", toolName: "bash" }];
    const waiting = [TURN, call, [2, "input.waiting", { toolCallId: "c", prompt: "May I?" }] as const];
    expect(stateAt(9e6, ...waiting)).toMatchObject({ kind: "waiting", since: 2, toolCallId: "c" });
    const permitted = [3, "vendor.permitted", { answers: "c", bookkeeping: "record" }] as const;
    expect(stateAt(9, ...waiting, permitted)).toMatchObject({ kind: "running", toolName: "bash" });
    expect(stateAt(9, ...waiting, [3, "tool.end", { toolCallId: "c" }]).kind).toBe("running");
  });

  const again = (n: number, output = "exit 1") =>
    Array.from({ length: n }, (_, i) =>
      tool(i, 1, { toolName: "Bash", input: { command: "make" } }, { output }),
    ).flat();

  it("is looping where the newest calls are one with one result, four times or more", () => {
    expect(stateAt(9, TURN, ...again(3)).kind).toBe("running");
    expect(stateAt(9, TURN, ...again(5))).toMatchObject({
      kind: "looping",
      times: 5,
      since: 0,
      toolName: "Bash",
    });
    expect(stateAt(9, TURN, ...again(5), ...tool(7, 1, { toolName: "Read" })).kind).toBe("running");
    expect(stateAt(9, TURN, ...again(3), ...again(1, "ok")).kind).toBe("running");
    const next: EventInput = [8, "turn.start", { turnIndex: 1 }];
    expect(stateAt(9, TURN, ...again(5), next).kind).toBe("running");
  });

  it("does not depend on values without JSON text", () => {
    const input: { self?: object } = {};
    input.self = input;
    const deep = JSON.parse("[".repeat(20_000) + "]".repeat(20_000)) as object;
    const odd = [input, { amount: 1n }, { deep }].flatMap((one, i) =>
      tool(i, 1, { toolName: "Bash", input: one }, { output: one }),
    );
    expect(stateAt(9, TURN, ...odd).kind).toBe("running");
  });

  it("is not looping for ever: it stops after five minutes without a record", () => {
    expect(stateAt(5 + 300, TURN, ...again(5)).kind).toBe("looping");
    expect(stateAt(5 + 301, TURN, ...again(5)).kind).toBe("stopped");
    expect(stateAt(99, TURN, ...again(5), ENDS).kind).toBe("idle");
  });

  it("is idle or has failed as its newest turn did, whatever lies open in it", () => {
    expect(stateAt(200, TURN, open(1), ENDS).kind).toBe("idle");
    const failed: EventInput = [99, "turn.end", { turnIndex: 0, outcome: "failed" }];
    expect(stateAt(200, TURN, failed)).toMatchObject({ kind: "failed", since: 99 });
    const next = [
      [100, "turn.start", { turnIndex: 1 }],
      [101, "turn.end", { turnIndex: 1 }],
    ] as const;
    expect(stateAt(200, TURN, failed, ...next).kind).toBe("idle");
  });

  it("is done where a record ends the session", () => {
    expect(stateAt(200, TURN, open(1), [99, "session.end"])).toMatchObject({ kind: "done", status: "idle" });
    const late: EventInput = [100, "turn.end", { agentId: "a1" }];
    expect(stateAt(200, TURN, [99, "session.end"], late).kind).toBe("done");
    expect(stateAt(200, TURN, [99, "session.end"], [100, "turn.start"], [101, "turn.end"]).kind).toBe("idle");
  });

  it("is idle after the turn of a run that never ends, and after a turn beside one that never ends", () => {
    const run: EventInput = [0, "run.start", { traceId: "t0" }];
    expect(stateAt(200, run, TURN, ENDS).kind).toBe("running");
    expect(stateAt(400, run, TURN, ENDS).kind).toBe("idle");
    const old: EventInput[] = [
      [-900, "turn.start", { traceId: "t0" }],
      [-899, "tool.start", { traceId: "t0", id: "old", toolName: "Bash" }],
    ];
    expect(stateAt(400, ...old, TURN, ENDS).kind).toBe("idle");
    expect(stateAt(9, ...old, TURN)).toEqual({ kind: "running", status: "running", since: 0 });
  });

  it("continues with its next model call, though a call before it has no recorded end", () => {
    const state = stateAt(9, TURN, open(1), [5, "llm.start", { callId: "m" }]);
    expect(state).toEqual({ kind: "running", status: "running", since: 5 });
  });

  it("retains a bounded number of tools", () => {
    const many = Array.from({ length: 100 }, (_, i) => tool(i, 1, { toolName: `tool ${i}` })).flat();
    const { activity } = many.reduce(
      (end, [at, type, fields]) =>
        followEnvelope(end, { timestamp: new Date(at * 1000).toISOString(), event: { type, ...fields } }),
      EMPTY_END,
    );
    expect(activity.longest).toHaveLength(50);
    expect(activity.calls).toBeUndefined();
  });
});
