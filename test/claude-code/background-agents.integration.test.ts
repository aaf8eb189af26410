import { expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json/json.js";
import { runToEnd } from "../../src/domain/lists/run-to-end.js";
import { listAgents } from "../../src/domain/trace/orchestration.js";
import {
  assistantRecord,
  at,
  lines,
  newProjects,
  openHistories,
  userRecord,
  uuid,
} from "./support/projects.js";

const SAID = (text: string) => [{ type: "text", text }];
const CALLED = (id: string, name: string, input: object) => [{ type: "tool_use", id, name, input }];
const GIVEN = (id: string) => [{ type: "tool_result", tool_use_id: id, content: "Launched." }];

const LAUNCH = [
  userRecord(1, 1, "Ask one."),
  assistantRecord(2, 2, "m1", CALLED("t1", "Agent", { description: "Look", prompt: "Look." })),
  userRecord(3, 3, GIVEN("t1"), {
    toolUseResult: { isAsync: true, status: "async_launched", agentId: "one" },
  }),
  assistantRecord(4, 4, "m2", SAID("It is looking.")),
];

const USAGE =
  "<usage><subagent_tokens>965</subagent_tokens><tool_uses>1</tool_uses><duration_ms>616</duration_ms></usage>";

function notice(status: string, result: string, call = "<tool-use-id>t1</tool-use-id>"): string {
  return `<task-notification>\n<task-id>one</task-id>${call}<status>${status}</status><result>${result}</result>${USAGE}</task-notification>`;
}

const told = (number: number, text: string) =>
  userRecord(number, number, text, {
    origin: { kind: "task-notification" },
    turnOrigin: "task_notification",
  });

async function read(records: readonly object[], others: Record<string, string> = {}) {
  const source = openHistories(await newProjects({ "p/s.jsonl": lines(...records), ...others }));
  const [item] = await source.listSessions();
  const trace = await source.loadTraceEnvelopes("p", "s");
  const events = (await source.loadOrchestrationEvents("p", "s")) as JsonObject[];
  const state = await source.loadOrchestrationState("p", "s");
  const agents = state === null ? [] : runToEnd(listAgents(state.snapshot, events));
  return { item: item!, trace, events, agents };
}

it("has ended when the notification says so, with what it answered, not when it was launched", async () => {
  const { item, agents, events, trace } = await read([
    ...LAUNCH,
    told(5, notice("completed", "Found <result>two</result> pears.")),
    assistantRecord(6, 6, "m3", SAID("Two pears.")),
  ]);
  expect(agents).toMatchObject([
    {
      ...{ agentId: "one", createdAt: at(2), closedAt: at(5), status: "closed" },
      lastJob: {
        ...{ jobId: "t1", outcome: "completed", outputText: "Found <result>two</result> pears." },
        ...{ totalTokens: 965, totalToolUseCount: 1, totalDurationMs: 616 },
      },
    },
  ]);
  expect(events.filter(({ type }) => type === "agent_job_completed")).toHaveLength(1);
  expect(item.turns).toBe(1);
  expect(item.title).toBe("Ask one.");
  const turns = trace.filter(({ event }) => event.type === "turn.start");
  expect(turns.map(({ event }) => [event.turnIndex, event.asked, String(event.input).slice(0, 10)])).toEqual([
    [0, undefined, "Ask one."],
    [1, false, "<task-noti"],
  ]);
});

it("ends as often as it is told of, also while the agent that called it works", async () => {
  const attachment = {
    ...{ type: "queued_command", origin: { kind: "task-notification" } },
    prompt: notice("killed", "No more.", ""),
  };
  const { agents, events, trace } = await read([
    ...LAUNCH,
    told(5, notice("completed", "First.")),
    assistantRecord(6, 6, "m3", CALLED("t2", "Read", {})),
    { type: "attachment", uuid: uuid(7), timestamp: at(7), attachment },
  ]);
  const ends = events.filter(({ type }) => /agent_job_(completed|failed)/.test(String(type)));
  expect(ends).toMatchObject([
    { type: "agent_job_completed", occurredAt: at(5), job: { outputText: "First." } },
    { type: "agent_job_failed", occurredAt: at(7), job: { outcome: "cancelled", outputText: "No more." } },
  ]);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
  expect(agents).toMatchObject([{ closedAt: at(7) }]);
  const attached = trace.find(({ event }) => event.type === "claude-code.attachment");
  expect(attached!.event).toMatchObject({ subtype: "queued_command" });
});

it("is launched by a result that says so in its text alone", async () => {
  const text = "Async agent launched successfully. (Never quote it.)\nagentId: two (internal ID)";
  const content = [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text }] }];
  const { agents } = await read([...LAUNCH.slice(0, 2), userRecord(3, 3, content), ...LAUNCH.slice(3)]);
  expect(agents).toMatchObject([{ agentId: "two", displayName: "Look", status: "running" }]);
});

it("goes on where a notification has no such status, is of no agent, or is somebody's words", async () => {
  const { agents } = await read([
    ...LAUNCH,
    told(5, notice("running", "Not yet.")),
    told(6, notice("completed", "Of a shell.", "<tool-use-id>t9</tool-use-id>")),
    userRecord(7, 7, notice("completed", "I say so.")),
    told(8, "<task-notification><status>completed"),
  ]);
  expect(agents).toMatchObject([{ agentId: "one", status: "running" }]);
});

it("hangs under the call of the workflow that it is of, and ends by itself", async () => {
  const workflow = [
    userRecord(1, 1, "Run it."),
    assistantRecord(2, 2, "m1", CALLED("w1", "Workflow", { script: "agent('Count.')" })),
    userRecord(3, 3, GIVEN("w1"), { toolUseResult: { status: "async_launched", runId: "wf_1" } }),
    assistantRecord(4, 4, "m2", SAID("It runs.")),
  ];
  const folder = "p/s/subagents/workflows/wf_1";
  const { agents, events } = await read(workflow, {
    [`${folder}/agent-a1.jsonl`]: lines(
      userRecord(11, 11, "Count."),
      assistantRecord(12, 12, "m9", SAID("Three.")),
    ),
    [`${folder}/agent-a1.meta.json`]: JSON.stringify({
      agentType: "workflow-subagent",
      description: "counter",
    }),
    [`${folder}/journal.jsonl`]: lines({ type: "launched" }, { type: "started", agentId: "a1" }),
  });
  expect(agents).toMatchObject([
    { agentId: "a1", displayName: "counter", closedAt: at(12), lastJob: { outputText: "Three." } },
  ]);
  expect(events[0]).toMatchObject({ type: "agent_spawned", agent: { id: "a1", toolCallId: "w1" } });
});

it("is no session for a journal whose session is gone", async () => {
  const root = await newProjects({
    "p/gone/subagents/workflows/wf_1/journal.jsonl": lines({ type: "started", agentId: "a1" }),
  });
  expect(await openHistories(root).listSessions()).toEqual([]);
});
