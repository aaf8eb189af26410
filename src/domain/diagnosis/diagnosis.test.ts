import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/soak.js";
import type { JsonObject } from "../json/json.js";
import { runToEnd } from "../lists/run-to-end.js";
import { type EventFacts, readEventFacts } from "../spans/event-facts.js";
import { addTotals } from "../spans/span.js";
import { spanTree } from "../spans/span-tree.js";
import { eventDetails } from "../steps/event-details.js";
import { diagnosisOf, findErrors } from "./diagnosis.js";

/** Diagnoses a session of these events, a second apart. */
function diagnose(...events: readonly JsonObject[]) {
  const facts: EventFacts[] = events.map((event, i) =>
    readEventFacts({ id: `e${i}`, sequence: i, timestamp: i * 1000, traceId: "main", event }, i, 0),
  );
  const roots = runToEnd(spanTree(facts));
  const errors = runToEnd(findErrors(roots, (event) => eventDetails(event, events[event.index]!)));
  return { ...diagnosisOf(errors, () => 0.5), totals: addTotals(roots) };
}

const turn = { type: "turn.start", input: "Go on" };
const turnEnd = { type: "turn.end" };
const call = (callId: string, tokens = 100): JsonObject[] => [
  { type: "llm.start", callId, model: "m" },
  { type: "llm.end", callId, model: "m", usage: { inputTokens: tokens, outputTokens: 0 } },
];
const start = (toolCallId: string, command: string, toolName = "Bash"): JsonObject => ({
  type: "tool.start",
  toolCallId,
  toolName,
  input: { command },
});
const failed = (toolCallId: string, error: string): JsonObject => ({ type: "tool.end", toolCallId, error });
const done = (toolCallId: string, output = "ok"): JsonObject => ({ type: "tool.end", toolCallId, output });
const SIBLING = "<tool_use_error>Sibling tool call errored</tool_use_error>";

describe("errors of a session", () => {
  it("are one cause where they differ in paths and numbers, and another of another tool", () => {
    const { errors, causeCount, causes } = diagnose(
      ...[
        start("a", "ls /x"),
        failed("a", "No such file /x/1"),
        start("b", "ls /y"),
        failed("b", "No such file /y/2"),
      ],
      ...[start("c", "ls /y", "Other"), failed("c", "No such file /y/2")],
    );
    expect([errors, causeCount]).toEqual([3, 2]);
    expect(causes.map(({ name, count, first }) => [name, count, first.stepId])).toEqual([
      ["Bash", 2, "e0"],
      ["Other", 1, "e4"],
    ]);
  });

  it("have what happened because of them below them", () => {
    const { causes, errors } = diagnose(
      ...[turn, ...call("1"), start("a", "ls"), start("b", "pwd"), start("c", "cat", "Read")],
      ...[failed("a", SIBLING), failed("b", "it broke"), failed("c", SIBLING), ...call("2"), turnEnd],
    );
    expect(errors).toBe(3);
    expect(causes).toHaveLength(1);
    expect(causes[0]).toMatchObject({ cause: "it broke", count: 1, isRootUnknown: false });
    expect(causes[0]!.consequences).toMatchObject([
      { cause: "Sibling tool call errored", name: "", count: 2 },
    ]);
  });

  it("say that what they happened because of is not recorded", () => {
    const { causes } = diagnose(...call("1"), start("a", "ls"), failed("a", SIBLING));
    expect(causes).toMatchObject([{ count: 1, isRootUnknown: true, consequences: [] }]);
  });

  it("are recovered from where the same call succeeds later, another one of the file, or the next model call", () => {
    const edit = (id: string, toolName: string) => ({
      ...start(id, ""),
      toolName,
      input: { file_path: "/a.ts" },
    });
    const { causes } = diagnose(
      ...[turn, start("a", "npm test"), failed("a", "one"), start("b", "npm test"), done("b")],
      ...[edit("c", "Edit"), failed("c", "two"), edit("d", "Write"), done("d")],
      ...[{ type: "error", message: "three" }, ...call("1"), turnEnd],
    );
    expect(causes.map(({ outcomes }) => outcomes.retried)).toEqual([1, 1, 1]);
  });

  it("ended their turn where nothing succeeded after them, and were not recovered from where the turn failed", () => {
    const { causes } = diagnose(
      ...[turn, start("a", "ls"), failed("a", "first"), ...call("1"), start("b", "pwd"), failed("b", "last")],
      ...[{ type: "turn.end", error: "gave up" }],
      ...[turn, start("c", "id"), failed("c", "later"), start("e", "y"), done("e"), turnEnd],
      ...[turn, start("d", "w"), failed("d", "open")],
    );
    const how = causes.map(({ cause, outcomes }) => [
      cause,
      Object.entries(outcomes).find(([, n]) => n > 0)?.[0],
    ]);
    expect(how).toEqual([
      ["last", "endedTurn"],
      ["first", "notRecovered"],
      ["open", "unknown"],
      ["later", "continued"],
    ]);
    expect(causes.map(({ first }) => first.turn)).toEqual([1, 1, 3, 2]);
  });

  it("ended their turn where the agent only answers after a failed call, and not where it works on", () => {
    const { causes } = diagnose(
      ...[turn, ...call("1"), start("a", "deploy"), failed("a", "no access"), ...call("2"), turnEnd],
      ...[turn, ...call("3"), start("b", "lint"), failed("b", "no linter"), start("c", "build"), done("c")],
      ...[...call("4"), turnEnd],
    );
    expect(causes.map(({ cause, outcomes }) => [cause, outcomes.endedTurn, outcomes.continued])).toEqual([
      ["no access", 1, 0],
      ["no linter", 0, 1],
    ]);
  });

  it("are one cause where attempts of a model, an event and the turn state the same", () => {
    const attempt = (callId: string) => [
      { type: "llm.start", callId, model: "m" },
      { type: "llm.end", callId, model: "m", error: "overloaded" },
    ];
    const { errors, causes } = diagnose(
      ...[turn, ...attempt("1"), ...attempt("2"), ...attempt("3")],
      ...[
        { type: "error", message: "overloaded" },
        { ...turnEnd, error: "overloaded" },
      ],
    );
    expect(causes.map(({ cause, count }) => [cause, count])).toEqual([["overloaded", errors]]);
    expect(causes[0]!.outcomes.endedTurn).toBe(errors);
  });

  it("are one cause where tools wrap the same text differently", () => {
    const wrapped = (id: string, code: number, more: string) => [
      start(id, `psql ${id}`),
      {
        ...{ type: "tool.end", toolCallId: id, isError: true },
        output: `Chunk ID: ${id}f${code}\nWall time: ${code}.5 seconds\nProcess exited with code 1\nOutput:\nno such table\n${more}`,
      },
    ];
    const { causes } = diagnose(turn, ...wrapped("a", 1, "line 1"), ...wrapped("b", 2, "see the manual"));
    expect(causes).toMatchObject([{ cause: "no such table", count: 2 }]);
  });

  it("took the time of the calls and a part of the model calls that asked for them", () => {
    const { causes } = diagnose(
      turn,
      ...call("1", 1000),
      start("a", "ls"),
      start("b", "pwd"),
      done("b"),
      failed("a", "no"),
    );
    expect(causes[0]).toMatchObject({
      ms: 3000,
      tokens: 500,
      usd: 0.25,
      unpricedTokens: 0,
      uncountedErrors: 0,
    });
    expect(diagnose(start("a", "ls"), failed("a", "no")).causes[0]).toMatchObject({
      tokens: 0,
      uncountedErrors: 1,
    });
  });

  it("are none where a person refused", () => {
    const refused = { ...failed("a", "The user refused"), refused: true, isError: true };
    expect(diagnose(turn, start("a", "rm"), refused, turnEnd)).toMatchObject({ errors: 0, causes: [] });
  });

  it("are a loop where the same call failed again and again", () => {
    const again = Array.from({ length: 40 }, (_, i) => [
      start(`t${i}`, "npm test"),
      failed(`t${i}`, "red"),
    ]).flat();
    const { causes, loops } = diagnose(...again, start("x", "ls"), failed("x", "red"));
    expect(causes).toMatchObject([{ count: 41, sameCall: 40, inARow: 40 }]);
    expect(loops).toEqual([]);
  });
});

it("calls that say the same again and again are a loop, without being errors", () => {
  const again = [1, 2, 3, 4].flatMap((i) => [
    start(`t${i}`, "git status"),
    done(`t${i}`, i === 4 ? "new" : "old"),
  ]);
  const { errors, loops } = diagnose(...again);
  expect(errors).toBe(0);
  expect(loops).toMatchObject([{ name: "Bash", subject: "git status", times: 3, first: { stepId: "e0" } }]);
});

it("every error is in one cause or consequence, and they are as many as the totals say", () => {
  const text = fc.constantFrom(SIBLING, "no", "ls: /a: no", "cancelled because another failed", "");
  const id = fc.constantFrom("1", "2", "3");
  const event = fc.oneof(
    fc.constantFrom<JsonObject>(turn, turnEnd, { type: "turn.end", error: "gave up" }),
    fc.record({ type: fc.constant("llm.start"), callId: id, model: fc.constant("m") }),
    fc.record({ type: fc.constant("llm.end"), callId: id, error: fc.option(text, { nil: undefined }) }),
    fc.record({ type: fc.constant("tool.start"), toolCallId: id, toolName: fc.constantFrom("Bash", "Read") }),
    fc.record({ type: fc.constant("tool.end"), toolCallId: id, isError: fc.boolean(), output: text }),
    fc.record({ type: fc.constantFrom("error", "run.end", "other"), message: text, isError: fc.boolean() }),
    fc.record({ type: fc.constant("hook"), bookkeeping: fc.constant("hook"), error: text }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const { errors, causes, unlistedErrors, totals } = diagnose(...(events as JsonObject[]));
      const groups = causes.flatMap((cause) => [cause, ...cause.consequences]);
      expect(errors).toBe(totals.errors);
      expect(groups.reduce((sum, { count }) => sum + count, unlistedErrors)).toBe(errors);
      for (const { count, outcomes } of groups)
        expect(Object.values(outcomes).reduce((sum, n) => sum + n)).toBe(count);
    }),
    { numRuns: runs(300) },
  );
});
