import { expect, it } from "vitest";
import { runToEnd } from "../lists/run-to-end.js";
import { SessionAnalysis } from "../summary/session-analysis.js";

const BEGAN = Date.UTC(2026, 0, 15);

it("steps that have not ended go on to the end of the session, and those that have do not", () => {
  const analysis = new SessionAnalysis();
  const events = [
    { type: "turn.start", turnIndex: 0 },
    { type: "llm.start", callId: "c1" },
    { type: "llm.end", callId: "c1" },
    { type: "tool.start", toolCallId: "t1", toolName: "Bash" },
    { type: "text", text: "Meanwhile." },
  ];
  for (const [i, event] of events.entries()) {
    const timestamp = new Date(BEGAN + i * 1_000).toISOString();
    analysis.addEnvelope({ id: `e${i}`, timestamp, sequence: i, source: "runtime", traceId: "t", event }, 1);
  }
  const { to, turns, calls, tools } = runToEnd(analysis.steps());
  expect(to).toBe(BEGAN + 4_000);
  expect([turns, calls, tools].map(([step]) => step!.endAt - BEGAN)).toEqual([4_000, 2_000, 4_000]);
});

it("a turn is of its agent, and one that a sub-agent left open ends where that wrote last", () => {
  const analysis = new SessionAnalysis();
  const events = [
    { type: "turn.start", turnIndex: 0, input: "Ask" },
    { type: "turn.start", turnIndex: 0, agentId: "a", input: "Look" },
    { type: "text", agentId: "a", text: "Looking." },
    { type: "turn.end", turnIndex: 0 },
    { type: "turn.start", turnIndex: 1, input: "Go on" },
  ];
  for (const [i, event] of events.entries()) {
    const timestamp = new Date(BEGAN + i * 1_000).toISOString();
    const traceId = event.agentId ?? "t";
    analysis.addEnvelope({ id: `e${i}`, timestamp, sequence: i, source: "runtime", traceId, event }, 1);
  }
  const { turns } = runToEnd(analysis.steps());
  const prompts = turns.map(({ agentId, prompt, at, endAt }) => [agentId, prompt, at - BEGAN, endAt - BEGAN]);
  expect(prompts.sort()).toEqual([
    ["", "Ask", 0, 3_000],
    ["", "Go on", 4_000, 4_000],
    ["a", "Look", 1_000, 2_000],
  ]);
});
