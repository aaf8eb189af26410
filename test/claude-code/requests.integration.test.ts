import { expect, it } from "vitest";
import { ComparedInspector } from "../support/call-oracle/compared-inspector.js";
import { assistantRecord, lines, newProjects, openHistories, userRecord, uuid } from "./support/projects.js";

const SAID = (text: string) => [{ type: "text", text }];
const blob = (hash: string, role: string, content: unknown) => ({
  ...{ type: "api-request-blob", sessionId: "s", hash },
  message: { role, content },
});
const request = (id: string, tail: readonly string[], base?: string, keep = 0) => ({
  ...{ type: "api-request", sessionId: "s", id, keep, tail },
  ...(base === undefined ? {} : { base }),
});
const answer = (number: number, id: string, text: string, requestRef: string, parent?: number) => ({
  ...assistantRecord(number, number, id, SAID(text)),
  requestRef,
  ...(parent === undefined ? {} : { parentUuid: uuid(parent) }),
});
const asked = (number: number, text: string, parent: number | null) =>
  userRecord(number, number, text, { parentUuid: parent === null ? null : uuid(parent) });

async function contextsIn(...records: readonly object[]): Promise<[source: unknown, ...texts: string[]][]> {
  const source = openHistories(await newProjects({ "p/s.jsonl": lines(...records) }));
  const inspector = new ComparedInspector(source);
  const session = { tenantId: "p", sessionId: "s" };
  const { traced } = await inspector.modelCalls(session);
  const contexts = await Promise.all(traced.map((call) => inspector.contextOf(session, call)));
  return contexts.map(({ call, messages }) => [call.source, ...messages.map(({ text }) => text)]);
}

const BEGIN = [
  asked(1, "Go.", null),
  blob("b1", "user", "Reminder. Go."),
  blob("b2", "system", "Environment."),
  request("r1", ["b1", "b2"]),
  answer(2, "m1", "Gone.", "r1", 1),
];

it("is what the request held: messages as they were sent, and those of the conversation in between", async () => {
  const seen = await contextsIn(
    ...BEGIN,
    blob("b3", "user", "Notice. Where?"),
    request("r2", ["h1", "b3"], "r1", 2),
    asked(3, "Where?", 2),
    answer(4, "m2", "Here.", "r2", 3),
    asked(5, "Why?", 4),
    request("r3", ["h2", "h3"], "r2", 4),
    request("r4", [], "r3", 6),
    answer(6, "m3", "So.", "r4", 5),
  );
  const begin = ["Reminder. Go.", "Environment."];
  expect(seen).toEqual([
    ["call", ...begin],
    ["call", ...begin, "Gone.", "Notice. Where?"],
    ["call", ...begin, "Gone.", "Notice. Where?", "Here.", "Why?"],
  ]);
});

it("is the conversation alone where the request does not fit it, or what it goes on from is not there", async () => {
  const seen = await contextsIn(
    ...BEGIN,
    asked(3, "Where?", 2),
    request("r2", ["h1", "h2"], "gone", 2),
    answer(4, "m2", "Here.", "r2", 3),
    asked(5, "Why?", 4),
    request("r3", ["b1", "b2", "h1", "h2", "h3", "h4", "h5"]),
    answer(6, "m3", "So.", "r3", 5),
    asked(7, "And?", 6),
    request("r4", ["b1", "h1", "h2", "h3", "h4", "h5", "h6"]),
    answer(8, "m4", "Yes.", "r4", 7),
  );
  const said = ["Go.", "Gone.", "Where?", "Here.", "Why?"];
  expect(seen).toEqual([
    ["call", "Reminder. Go.", "Environment."],
    ["conversation", ...said.slice(0, 3)],
    ["conversation", ...said],
    ["call", "Reminder. Go.", ...said.slice(1), "So.", "And?"],
  ]);
});

it("takes lines of one answer for one message, and all between two answers for one", async () => {
  const call = (number: number, id: string) => ({
    ...assistantRecord(number, number, "m1", [{ type: "tool_use", id, name: "Read", input: {} }]),
    requestRef: "r1",
  });
  const result = (number: number, id: string) =>
    userRecord(number, number, [{ type: "tool_result", tool_use_id: id, content: `Of ${id}.` }]);
  const seen = await contextsIn(
    ...BEGIN.slice(0, 4),
    ...[call(2, "t1"), result(3, "t1"), call(4, "t2"), result(5, "t2")],
    request("r2", ["h1", "h2"], "r1", 2),
    answer(6, "m2", "Both.", "r2"),
  );
  expect(seen.map(([source, ...texts]) => [source, texts.length])).toEqual([
    ["call", 2],
    ["call", 6],
  ]);
  expect(seen[1]!.slice(5)).toEqual(["Of t1.", "Of t2."]);
});

it("holds a failure and what was taken back no more", async () => {
  const seen = await contextsIn(
    ...BEGIN,
    asked(3, "Where?", 2),
    request("r2", ["h1", "h2"], "r1", 2),
    { ...answer(4, "e1", "API Error", "r2", 3), isApiErrorMessage: true },
    asked(5, "Again.", 4),
    blob("b3", "user", "Where? Again."),
    request("r3", ["b3"], "r2", 3),
    answer(6, "m2", "Here.", "r3", 5),
    asked(7, "Back.", 2),
    request("r4", ["h3"], "r2", 3),
    answer(8, "m3", "Yes.", "r4", 7),
  );
  expect(seen.slice(1)).toEqual([
    ["call", "Reminder. Go.", "Environment.", "Gone.", "Where? Again."],
    ["call", "Reminder. Go.", "Environment.", "Gone.", "Back."],
  ]);
});

it("takes odd requests for none", async () => {
  const seen = await contextsIn(
    ...BEGIN.slice(0, 3),
    { type: "api-request", id: 7, tail: "b1" },
    { type: "api-request", id: "r1", tail: [7, null, {}], keep: -3 },
    { type: "api-request-blob", message: "none" },
    { type: "api-request-blob", message: { content: 7 } },
    { ...answer(2, "m1", "Gone.", "r1", 1), requestRef: { id: "r1" } },
  );
  expect(seen).toEqual([["conversation", "Go."]]);
});
