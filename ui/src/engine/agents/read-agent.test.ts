import { describe, expect, it } from "vitest";
import { valueText } from "../../../../src/domain/text/value-text.js";
import { ODD_VALUES } from "../../../test/support/odd-values.js";
import { agentNodes, agentState, jobAnswer, lastJobFailed } from "../../model/agents/agent-forest.js";
import { traceModel } from "../../model/trace/trace-model.js";
import { agentHistories } from "./agent-histories.js";
import { readAgent } from "./read-agent.js";

describe("An agent of the orchestration", () => {
  const job = { jobId: "j", outcome: "completed", completedAt: "2026-01-15T00:01:00.000Z" };
  const agent = {
    agentId: "a",
    displayName: "Ada",
    role: "explorer",
    status: "closed",
    createdAt: "2026-01-15T00:00:00.000Z",
    closedAt: "2026-01-15T00:02:00.000Z",
    parentAgentId: "b",
    events: 2,
    lastJob: { ...job, outputText: "Found." },
  };

  it("is what the API says of it", () => {
    expect(readAgent(agent)).toEqual(agent);
    const { closedAt: _, parentAgentId: __, lastJob: ___, ...running } = agent;
    expect(readAgent(running)).toEqual(running);
  });

  it.each(ODD_VALUES)("has text in all members that are texts where each is %s", (_, value) => {
    const text = valueText(value);
    const members = ["agentId", "displayName", "role", "status", "parentAgentId"];
    const odd = Object.fromEntries(members.map((name) => [name, value]));
    const { displayName, ...read } = readAgent({ ...agent, ...odd });
    expect(read).toMatchObject({ agentId: text, role: text, status: text });
    expect(read.parentAgentId ?? "").toBe(text);
    expect(displayName).toBe(text);
    const [main, node] = agentNodes([{ ...read, displayName }], new Set(), "Main");
    expect([main!.label, node!.label, node!.role]).toEqual(["Main", text, text]);
  });

  it.each(ODD_VALUES)("answers in text where its job ends with %s", (_, value) => {
    const text = valueText(value);
    const failed = readAgent({ ...agent, lastJob: { ...job, error: value, outputText: "Found." } });
    expect(jobAnswer(failed)).toEqual({ text: text || "Found.", isError: text !== "" });
    const done = readAgent({ ...agent, lastJob: { ...job, outputText: value } });
    expect(jobAnswer(done)).toEqual({ text, isError: false });
    const ended = readAgent({ ...agent, lastJob: { ...job, outcome: value } });
    expect(agentState(ended)).toBe(text || "closed");
    expect(lastJobFailed(ended)).toBe(false);
  });

  it.each(ODD_VALUES)("has a history without a start where its instants are %s", (_, value) => {
    const odd = { createdAt: value, closedAt: value, events: value };
    const read = readAgent({ ...agent, ...odd, lastJob: { ...job, completedAt: value } });
    expect(read.events).toBe(value === 42 ? 42 : 0);
    const [, life] = agentHistories(traceModel([], new Set()), [read], { of: () => undefined });
    expect(life!.from).toBeNaN();
  });

  it("says nothing was wrong where an error is false or empty", () => {
    for (const error of [false, ""])
      expect(jobAnswer(readAgent({ ...agent, lastJob: { ...job, error, outputText: "Found." } }))).toEqual({
        text: "Found.",
        isError: false,
      });
    expect(jobAnswer(readAgent({ ...agent, lastJob: "done" }))).toEqual({ text: "", isError: false });
  });
});
