import { expect, it } from "vitest";
import { ComparedInspector } from "../support/call-oracle/compared-inspector.js";
import { assistantRecord, lines, newProjects, openHistories, userRecord, uuid } from "./support/projects.js";

const SAID = (text: string) => [{ type: "text", text }];
const FORKING = [{ type: "tool_use", id: "t1", name: "Agent", input: { prompt: "Check." } }];
const OF_FORK = { isSidechain: true, agentId: "f1", parentUuid: null };
const LAUNCHED = { status: "async_launched", agentId: "f1" };
const given = (text: string) => [
  { type: "tool_result", tool_use_id: "t1", content: text },
  { type: "text", text: "Check." },
];

const PARENT = [
  userRecord(1, 1, "Go."),
  assistantRecord(2, 2, "m1", SAID("Gone.")),
  userRecord(3, 3, "Fork."),
  assistantRecord(4, 4, "m2", FORKING, { outputTokens: 9 }),
  userRecord(5, 5, given("Launched."), { toolUseResult: LAUNCHED }),
  assistantRecord(6, 6, "m3", SAID("It checks.")),
];
const fork = (parentLastUuid: string) => [
  { type: "fork-context-ref", agentId: "f1", parentSessionId: "s", parentLastUuid },
  { ...assistantRecord(14, 5, "m2", FORKING, { outputTokens: 9 }), ...OF_FORK },
  { ...userRecord(15, 5, given("You are the fork.")), ...OF_FORK, parentUuid: uuid(14) },
  { ...assistantRecord(16, 16, "m4", SAID("Checked.")), ...OF_FORK, parentUuid: uuid(15) },
];

async function readFork(parentLastUuid: string) {
  const root = await newProjects({
    "p/s.jsonl": lines(...PARENT),
    "p/s/subagents/agent-f1.jsonl": lines(...fork(parentLastUuid)),
    "p/s/subagents/agent-f1.meta.json": JSON.stringify({ agentType: "fork", toolUseId: "t1" }),
  });
  const source = openHistories(root);
  const inspector = new ComparedInspector(source);
  const session = { tenantId: "p", sessionId: "s" };
  const { traced } = await inspector.modelCalls(session);
  const own = traced.filter(({ agentId }) => agentId === "f1");
  const seen = await Promise.all(own.map((call) => inspector.seenBy(session, call)));
  return { source, own, seen: seen.map((one) => one.map(({ text }) => text)) };
}

it("sees what its parent had seen when it forked, and the answer that forked it once", async () => {
  const { own, seen } = await readFork(uuid(3));
  expect(own).toHaveLength(1);
  expect(seen[0]!.slice(0, 3)).toEqual(["Go.", "Gone.", "Fork."]);
  expect(seen[0]).toHaveLength(5);
  expect(seen[0]!.at(-1)).toContain("You are the fork.");
});

it("counts the answer that it repeats once, and tells of it as a replay", async () => {
  const { source } = await readFork(uuid(3));
  const [item] = await source.listSessions();
  expect(item!.usage!.outputTokens).toBe(1 + 9 + 1 + 1);
  const trace = await source.loadTraceEnvelopes("p", "s");
  const starts = trace.filter(({ event }) => event.type === "session.start");
  expect(starts.map(({ event }) => [event.agentId, event.replayed])).toEqual([
    [undefined, undefined],
    ["f1", 1],
  ]);
  expect(trace.filter(({ event }) => event.type === "llm.start")).toHaveLength(4);
});

it("sees its own conversation alone where the record that it goes on from is nowhere", async () => {
  const { seen } = await readFork(uuid(99));
  expect(seen[0]).toHaveLength(2);
});

it("sees the session that it sums up", async () => {
  const asked = {
    ...userRecord(21, 21, "Sum it up."),
    ...OF_FORK,
    agentId: "acompact-1",
    parentUuid: uuid(6),
  };
  const answer = { ...assistantRecord(22, 22, "m9", SAID("Summed.")), ...OF_FORK, agentId: "acompact-1" };
  const root = await newProjects({
    "p/s.jsonl": lines(...PARENT),
    "p/s/subagents/agent-acompact-1.jsonl": lines(asked, { ...answer, parentUuid: uuid(21) }),
  });
  const inspector = new ComparedInspector(openHistories(root));
  const session = { tenantId: "p", sessionId: "s" };
  const { traced } = await inspector.modelCalls(session);
  const seen = await inspector.seenBy(session, traced.find(({ agentId }) => agentId === "acompact-1")!);
  const texts = seen.map(({ text }) => text);
  expect(texts.slice(0, 3)).toEqual(["Go.", "Gone.", "Fork."]);
  expect(texts.slice(5)).toEqual(["It checks.", "Sum it up."]);
});
