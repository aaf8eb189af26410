import { describe, expect, it } from "vitest";
import { agent, call, openFiles, text, trajectory, user } from "./support/histories.js";

const GOOD = [user(1, "Go."), agent(2, "Gone.")];

describe("damaged trajectories", () => {
  it("cost themselves alone: what is cut, empty or of another kind is no session", async () => {
    const whole = JSON.stringify(trajectory("cut", GOOD));
    const source = await openFiles({
      "good.json": text(trajectory("good", GOOD)),
      "cut.json": whole.slice(0, whole.indexOf('"Gone') + 3),
      "empty.json": "",
      "mark-alone.json": '{"schema_version": "ATIF-v1.7"',
      "list.json": '[{"schema_version": "ATIF-v1.7"}]',
      "lone.json": text({ schema_version: "ATIF-v1.7", session_id: "lone", steps: { of: "another kind" } }),
    });
    const items = await source.listSessions();
    expect(items.map(({ sessionId, turns, warnings }) => [sessionId, turns, warnings]).sort()).toEqual([
      ["cut", 1, 1],
      ["good", 1, undefined],
      ["lone", 0, undefined],
    ]);
    const { tenantId } = items[0]!;
    const { warnings } = await (await source.openSession!(tenantId, "cut"))!.trace();
    expect(warnings).toMatchObject([{ line: 3, reason: expect.stringContaining("is cut off") }]);
  });

  it("keep what steps of wrong types hold, and the steps beside them", async () => {
    const odd = [
      5,
      null,
      { step_id: 7 },
      { source: "agent", message: { odd: true }, tool_calls: "none", observation: [1], metrics: "none" },
      agent(8, null, { tool_calls: [3, { function_name: 4 }], observation: { results: [{}, "x", {}] } }),
      agent(9, "Told.", { metrics: { prompt_tokens: -5, completion_tokens: "many", cost_usd: "much" } }),
      { source: "system", extra: { context_management: 3 }, timestamp: "yesterday" },
    ];
    const tail = {
      subagent_trajectories: [3, {}, { steps: "none" }, { steps: [4, user(1, "Hi.")] }],
      extra: 3,
    };
    const source = await openFiles({ "odd.json": text(trajectory("odd", [...GOOD, ...odd], tail)) });
    const [item] = await source.listSessions();
    expect(item).toMatchObject({ sessionId: "odd", turns: 1, tokens: 110 + 110 });
    const { tenantId } = item!;
    const trace = await source.loadTraceEnvelopes(tenantId, "odd");
    const lines = new Set(trace.map(({ event }) => (event.stored as { line: number }).line));
    const { warnings } = await (await source.openSession!(tenantId, "odd"))!.trace();
    for (const { line } of warnings) lines.add(line);
    expect([...lines].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(JSON.stringify(trace)).toContain('{"odd":true}');
    expect(JSON.stringify(trace)).toContain('"tool_calls":"none","observation":[1]');
    expect(warnings.map(({ line, reason }) => [line, reason])).toEqual([
      [4, "is valid JSON, but no object"],
      [5, "is valid JSON, but no object"],
      [9, expect.stringContaining("token count")],
    ]);
  });

  it("that name one another in a circle, or themselves, are each shown once", async () => {
    const names = (file: string) =>
      agent(2, "", {
        tool_calls: [call("a", "delegate")],
        observation: { results: [{ subagent_trajectory_ref: [{ trajectory_path: file }] }] },
      });
    const source = await openFiles({
      "a.json": text(trajectory("a", [user(1, "A."), names("b.json")])),
      "b.json": text(trajectory("b", [user(1, "B."), names("a.json")])),
      "c.json": text(
        trajectory("c", [user(1, "C."), names("c.json")], { continued_trajectory_ref: "c.json" }),
      ),
      "d.json": text(trajectory("d", [user(1, "D."), names("../../../../etc/passwd")])),
    });
    const items = await source.listSessions();
    expect(items.map(({ sessionId, tokens }) => [sessionId, tokens]).sort()).toEqual([
      ["a", 220],
      ["c", 110],
      ["d", 110],
    ]);
  });

  it("that are nested without end are left out below a depth, with a warning", async () => {
    let deepest: object = trajectory(undefined, [user(1, "Deep.")], {}, { trajectory_id: "deepest" });
    for (let i = 0; i < 40; i++)
      deepest = trajectory(
        undefined,
        [user(1, "Hi.")],
        { subagent_trajectories: [deepest] },
        { trajectory_id: `${i}` },
      );
    const source = await openFiles({
      "deep.json": JSON.stringify(trajectory("deep", GOOD, { subagent_trajectories: [deepest] })),
    });
    const [item] = await source.listSessions();
    expect(item).toMatchObject({ turns: 1, tokens: 110, warnings: 1 });
    const { warnings } = await (await source.openSession!(item!.tenantId, "deep"))!.trace();
    expect(warnings).toMatchObject([{ line: 4, reason: expect.stringContaining("nested deeper") }]);
  });
});
