import { describe, expect, it } from "vitest";
import { EMPTY_END, envelopeEvent, followEnvelope } from "../../domain/session/session-activity.js";
import {
  decidesOutcome,
  EMPTY_PART,
  endOfLongLog,
  endOfPart,
  hasOpenRun,
  joinParts,
  partOfEvents,
} from "./log-part.js";

const NOON = Date.UTC(2026, 0, 15, 12);

type EventInput =
  | string
  | { readonly type: string; readonly traceId?: string; readonly [field: string]: unknown };

const envelopes = (...events: readonly EventInput[]) =>
  events.map((input, second) => {
    const { traceId = "t1", ...event } = typeof input === "string" ? { type: input } : input;
    return { traceId, timestamp: new Date(NOON + second * 1_000).toISOString(), event };
  });
const partOf = (...events: readonly EventInput[]) => partOfEvents(envelopes(...events).map(envelopeEvent));

const FAILED = { type: "turn.end", outcome: "failed" };

describe("a part of a log", () => {
  it("that is the whole log has the end of a fold over it", () => {
    const events = [
      "run.start",
      "turn.start",
      "tool.end",
      FAILED,
      "turn.start",
      { type: "turn.start", traceId: "t2" },
    ];
    expect(endOfPart(partOf(...events))).toEqual(envelopes(...events).reduce(followEnvelope, EMPTY_END));
    expect(endOfPart(EMPTY_PART)).toEqual(EMPTY_END);
  });

  it("decides the outcome where something in it began, failed, or ended with an outcome", () => {
    expect([["turn.start"], ["error"], [FAILED]].map((events) => decidesOutcome(partOf(...events)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      [["turn.end"], ["tool.end"], ["session.end"]].map((events) => decidesOutcome(partOf(...events))),
    ).toEqual([false, false, false]);
  });

  it("has an open run where one began in it and did not end", () => {
    expect(hasOpenRun(partOf("turn.start", "tool.start"))).toBe(true);
    expect(hasOpenRun(partOf("turn.start", "turn.end"))).toBe(false);
  });

  it("goes on in the part behind it", () => {
    const joined = joinParts(partOf("run.start", "turn.start"), partOf("turn.end", "tool.end", "tool.end"));
    expect(endOfPart(joined)).toMatchObject({ activity: { open: ["t1 run"] }, newest: NOON + 2_000 });
  });
});

describe("the end of a log of which a last part was read", () => {
  const runs = partOf("run.start", "turn.start");
  const turns = partOf("turn.start");
  const openAfter = (tail: readonly EventInput[], head = runs) =>
    endOfLongLog(partOf(...tail), head).activity.open;

  it("goes on with what was begun where nothing ended", () => {
    expect(openAfter(["tool.start", "tool.end"])).toHaveLength(1);
    expect(openAfter([], turns)).toHaveLength(1);
  });

  it("goes on with the run of a turn that ended, where turns lie in runs", () => {
    expect(openAfter(["turn.end"])).toEqual(["t1 run"]);
    expect(openAfter(["turn.end"], turns)).toEqual([]);
    expect(openAfter(["turn.end"], EMPTY_PART)).toEqual([]);
  });

  it("goes on with nothing behind the end of its run, or of the session", () => {
    expect(openAfter(["turn.end", "run.end"])).toEqual([]);
    expect(openAfter(["turn.end", "session.end"])).toEqual([]);
    expect(openAfter(["run.end", "run.start", "turn.start", "turn.end", "run.end"])).toEqual([]);
  });

  it("distinguishes the runs of several traces", () => {
    const ofSecond = { type: "turn.end", traceId: "t2" };
    expect(openAfter(["turn.end", ofSecond, "run.end"])).toEqual(["t2 run"]);
  });

  it("goes on with what began in the part itself", () => {
    expect(openAfter(["turn.end", "turn.start"], turns)).toEqual(["t1 turn"]);
  });
});
