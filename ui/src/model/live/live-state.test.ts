import { describe, expect, it } from "vitest";
import { readEventFacts } from "../../../../src/domain/spans/event-facts.js";
import { traceModel } from "../trace/trace-model.js";
import { liveFacts } from "./live-facts.js";
import { type LiveItem, liveState } from "./live-state.js";

type EventInput = readonly [at: number, type: string, fields?: object];

/** Returns the live state of events at their seconds, some seconds after the start. */
function liveAt(seconds: number, status: LiveItem["status"], ...events: readonly EventInput[]) {
  const facts = events.map(([at, type, fields], index) => {
    const timestamp = new Date(at * 1000).toISOString();
    return readEventFacts({ id: `e${index}`, timestamp, event: { type, ...fields } }, index, 0);
  });
  const fieldsAt = (index: number | undefined) =>
    JSON.stringify(events[index ?? -1]?.[2]).replace(/"id":"\w+",?/, "");
  const existing = liveFacts(
    traceModel(facts, new Set()),
    ({ start, end }) => fieldsAt(start.index) + fieldsAt(end?.index),
  );
  const question = () => "Deploy it?";
  return liveState(existing, { status, waitingFor: undefined }, question, seconds * 1000);
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

describe("what a session is about", () => {
  it("is running while a call is open, since it began", () => {
    expect(liveAt(60, "running", TURN, open(5))).toMatchObject({
      kind: "running",
      toolName: "Bash",
      since: 5000,
    });
  });

  it("waits for the permission that a call needs until it is given, or the call has ended", () => {
    const call: EventInput = [1, "tool.start", { toolCallId: "c", toolName: "bash" }];
    const waiting = [TURN, call, [2, "input.waiting", { toolCallId: "c", prompt: "May I?" }] as const];
    expect(liveAt(600, "waiting", ...waiting).kind).toBe("waiting");
    const permitted = [3, "vendor.permitted", { answers: "c", bookkeeping: "record" }] as const;
    expect(liveAt(9, "running", ...waiting, permitted)).toMatchObject({ kind: "running", toolName: "bash" });
    const ended = [3, "tool.end", { toolCallId: "c" }] as const;
    expect(liveAt(9, "running", ...waiting, ended).kind).toBe("running");
  });

  it("has stalled where the call takes more than three times as long as this tool ever took, and a minute", () => {
    const slow = [TURN, ...tool(1, 30), open(40)];
    const quick = [TURN, ...tool(1, 2), open(40)];
    expect(liveAt(40 + 90, "running", ...slow).kind).toBe("running");
    expect(liveAt(40 + 91, "idle", ...slow)).toMatchObject({
      kind: "stalled",
      longestMs: 30_000,
      spanId: "e3",
    });
    expect(liveAt(40 + 59, "running", ...quick).kind).toBe("running");
    expect(liveAt(40 + 61, "running", ...quick).kind).toBe("stalled");
    expect(liveAt(40 + 86_401, "idle", ...quick).kind).toBe("unknown");
  });

  it("is not compared with other tools, and unknown where nothing says that it goes on", () => {
    const events = [TURN, ...tool(1, 2, { toolName: "Read" }), open(40)];
    expect(liveAt(3600, "running", ...events).kind).toBe("running");
    expect(liveAt(3600, "idle", ...events)).toMatchObject({
      kind: "unknown",
      toolName: "Bash",
      since: 40_000,
    });
  });

  it("has stalled where the model says nothing for longer than it ever took", () => {
    const events: EventInput[] = [TURN, [1, "llm.start", { callId: "m" }], [21, "llm.end", { callId: "m" }]];
    expect(liveAt(80, "running", ...events).kind).toBe("running");
    expect(liveAt(82, "running", ...events)).toMatchObject({ kind: "stalled", since: 21_000 });
  });

  it("waits for a person whose answer a tool wants, or from input.waiting until the agent goes on", () => {
    const asks = liveAt(9000, "idle", TURN, ...tool(1, 1), open(5, "AskUserQuestion"));
    expect(asks).toMatchObject({ kind: "waiting", question: "Deploy it?", since: 5000, spanId: "e3" });
    const waits: EventInput = [5, "input.waiting", { prompt: "Deploy it?" }];
    expect(liveAt(9, "idle", TURN, waits).kind).toBe("waiting");
    const goesOn: EventInput[] = [open(6), [6, "text", { role: "user", text: "Yes." }], ENDS];
    for (const next of goesOn) expect(liveAt(9, "idle", TURN, waits, next).kind).not.toBe("waiting");
    expect(liveAt(9, "waiting", TURN, open(5))).toMatchObject({ kind: "waiting", toolName: "Bash" });
  });

  it("is in a loop where the newest calls are one with one result, four times or more", () => {
    const again = (n: number, output = "exit 1") =>
      Array.from({ length: n }, (_, i) =>
        tool(i, 1, { toolName: "Bash", input: { command: "make" } }, { output }),
      ).flat();
    expect(liveAt(9, "running", TURN, ...again(3)).kind).toBe("running");
    expect(liveAt(9, "running", TURN, ...again(5))).toMatchObject({
      kind: "looping",
      times: 5,
      since: 0,
      toolName: "Bash",
    });
    expect(liveAt(9, "running", TURN, ...again(5), ...tool(7, 1, { toolName: "Read" })).kind).toBe("running");
    expect(liveAt(9, "running", TURN, ...again(3), ...again(1, "ok")).kind).toBe("running");
    expect(liveAt(99, "idle", TURN, ...again(5), ENDS).kind).toBe("done");
  });

  it("is done or has failed as its newest turn did, whatever lies open in it", () => {
    expect(liveAt(200, "idle", TURN, open(1), ENDS)).toMatchObject({ kind: "done", since: 99_000 });
    const failed: EventInput = [99, "turn.end", { turnIndex: 0, outcome: "failed" }];
    expect(liveAt(200, "idle", TURN, failed)).toMatchObject({ kind: "failed", spanId: "e0" });
    expect(
      liveAt(
        200,
        "idle",
        TURN,
        failed,
        [100, "turn.start", { turnIndex: 1 }],
        [101, "turn.end", { turnIndex: 1 }],
      ).kind,
    ).toBe("done");
  });

  it("goes on with its next model call, though a call before it has no recorded end", () => {
    const events: EventInput[] = [TURN, open(1), [5, "llm.start", { callId: "m" }]];
    expect(liveAt(9, "running", ...events)).toMatchObject({ kind: "running", spanId: "e2", toolName: "" });
  });
});
