import { rejects } from "node:assert/strict";
import { readEventFacts } from "../../src/domain/spans/event-facts.js";
import { type Span, walkSpans } from "../../src/domain/spans/span.js";
import type {
  InspectorDataSource,
  InspectorSessionItem,
  Message,
  OrchestrationAgent,
  TraceEvent,
  WorkflowTraceEventEnvelope,
} from "../../src/index.js";
import { traceModel } from "../../ui/src/model/trace/trace-model.js";
import { inspectJson } from "./read-list.js";

/**
 * The test of every framework runs this: in a first turn two tool calls, one with an error, and a sub-agent inside a third one; in a
 * second turn a model that fails. Every framework must give the same records.
 */
export const SCENARIO = {
  identity: { tenantId: "acme", sessionId: "s1", userId: "ada" },
  system: "You answer questions about notes.",
  turns: ["What is in the notes?", "And now break down"],
  tools: { good: "read_note", bad: "delete_note", delegate: "delegate" },
  notes: "Water the plants.",
  toolError: "Notes cannot be deleted.",
  subAgent: { name: "reviewer", task: "Review the notes.", answer: "They are short." },
  answer: "One note: water the plants.",
  modelError: "The provider is down",
  /** Usage of each call, in order; the input includes cached tokens. */
  usage: {
    toolCalls: { input: 100, cached: 60, output: 20 },
    delegation: { input: 150, cached: 100, output: 15 },
    subAgent: { input: 40, cached: 0, output: 10 },
    answer: { input: 200, cached: 150, output: 30 },
  },
} as const;

/** The second turn has to fail, as its model does. */
export async function takeTurns(turn: (content: string) => Promise<void>): Promise<void> {
  const [first, second] = SCENARIO.turns;
  await turn(first);
  await rejects(turn(second), new RegExp(SCENARIO.modelError));
}

export const EXPECTED_SUMMARY = {
  session: {
    tenantId: "acme",
    sessionId: "s1",
    userId: "ada",
    title: "What is in the notes?",
    status: "error",
  },
  turns: 2,
  rootTurns: 2,
  modelCalls: 5,
  toolCalls: ["delegate", "delete_note", "read_note"],
  failedTools: ["delete_note"],
  agents: [{ displayName: "reviewer", status: "closed", outcome: "completed", toolName: "delegate" }],
  tokens: { inputTokens: 180, outputTokens: 75, cacheReadTokens: 310, cacheWriteTokens: 0 },
  errors: 2,
  conversation: ["system", "user", "assistant", "tool", "assistant", "tool", "assistant", "user"],
};

export async function summaryOf(source: InspectorDataSource, tenantId: string, sessionId: string) {
  const path = (list: string) => `/sessions/${sessionId}/${list}?tenantId=${tenantId}`;
  const { sessions } = await inspectJson<{ sessions: InspectorSessionItem[] }>(source, "/sessions");
  const session = sessions.find((one) => one.tenantId === tenantId && one.sessionId === sessionId);
  const trace = await inspectJson<{ envelopes: WorkflowTraceEventEnvelope[] }>(source, path("trace"));
  const { agents } = await inspectJson<{ agents: OrchestrationAgent[] }>(source, path("orchestration"));
  const { messages } = await inspectJson<{ messages: Message[] }>(source, path("messages"));

  const facts = trace.envelopes.map((envelope, index) => readEventFacts({ ...envelope }, index, 0));
  const { totals, roots } = traceModel(facts, new Set(agents.map(({ agentId }) => agentId)));
  const events = trace.envelopes.map(({ event }) => event);
  const toolEnds = events.filter(({ type }) => type === "tool.end");
  const toolNames = (list: readonly TraceEvent[]) => list.map(({ toolName }) => String(toolName)).sort();
  const named = ({ tenantId, sessionId, userId, title, status }: InspectorSessionItem) => {
    return { tenantId, sessionId, userId, title, status };
  };
  return {
    session: session && named(session),
    turns: session?.turns,
    // A request span may enclose the turn of its agent.
    rootTurns: turnsOfMainAgent(roots),
    modelCalls: totals.llmCalls,
    toolCalls: toolNames(events.filter(({ type }) => type === "tool.start")),
    failedTools: toolNames(toolEnds.filter(({ isError }) => isError === true)),
    agents: agents.map(({ agentId, displayName, status, lastJob }) => {
      const spawned = events.find(
        ({ type, agent }) => type === "agent_spawned" && (agent as { id: string }).id === agentId,
      );
      const call = toolEnds.find(({ toolCallId }) => toolCallId === spawned?.toolCallId);
      return { displayName, status, outcome: lastJob?.outcome, toolName: call?.toolName };
    }),
    tokens: session?.usage,
    errors: totals.errors,
    conversation: messages.map(({ role }) => role).filter((role, at, roles) => role !== roles[at - 1]),
  };
}

function turnsOfMainAgent(roots: readonly Span[]): number {
  let turns = 0;
  walkSpans(roots, ({ kind, agentId }) => {
    if (kind === "turn" && agentId === "") turns++;
  });
  return turns;
}

export async function eventsOf(source: InspectorDataSource): Promise<readonly TraceEvent[]> {
  const { tenantId, sessionId } = SCENARIO.identity;
  const path = `/sessions/${sessionId}/trace?tenantId=${tenantId}`;
  const { envelopes } = await inspectJson<{ envelopes: WorkflowTraceEventEnvelope[] }>(source, path);
  return envelopes.map(({ event }) => event);
}
