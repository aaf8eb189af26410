import type { JsonObject } from "../src/domain/json/json.js";
import { uuidOf } from "./random.js";

/** The text pads the envelope to its size. */
export type EventWithText = (text: string) => JsonObject;

interface TracedEvent {
  readonly traceId: string;
  readonly sequence: number;
  readonly event: EventWithText;
}

/** A style of recording: the begin and end events of a trace decide how much a reader has to read. */
export interface Shape {
  readonly name: string;
  /** In stored order. Endless: a session takes as many as it needs. */
  events(random: () => number): Generator<TracedEvent>;
  orchestration(random: () => number, begin: number): JsonObject[];
}

const NO_ORCHESTRATION = () => [];

/** As the recorder of this package writes it. */
export const TURNS: Shape = {
  name: "turns",
  events: (random) => traced(uuidOf(random), turns(random)),
  orchestration: NO_ORCHESTRATION,
};

/** A trace for each run, as Agentrail writes them: runs begin and never end, but turns do. */
const AGENTRAIL: Shape = {
  name: "agentrail",
  *events(random) {
    for (;;) yield* traced(uuidOf(random), agentrailRun(random));
  },
  orchestration: agentrailOrchestration,
};

/** One run that still continues: after its first event no run or turn begins or ends. */
const ONE_LONG_RUN: Shape = {
  name: "one long run",
  events: (random) => traced(uuidOf(random), longRun(random)),
  orchestration: NO_ORCHESTRATION,
};

export const SHAPES: readonly Shape[] = [TURNS, AGENTRAIL, ONE_LONG_RUN];

function* traced(traceId: string, events: Iterable<EventWithText>): Generator<TracedEvent> {
  let sequence = 0;
  for (const event of events) yield { traceId, sequence: sequence++, event };
}

function* turns(random: () => number): Generator<EventWithText> {
  const toolName = "read_file";
  for (let turnIndex = 0; ; turnIndex++) {
    yield (text) => ({ type: "turn.start", turnIndex, text });
    for (let call = 0; call < 9; call++) {
      const toolCallId = uuidOf(random);
      yield (text) => ({ type: "tool.start", toolCallId, toolName, input: { path: "src/main.ts" }, text });
      yield (text) => ({ type: "tool.end", toolCallId, toolName, output: text });
    }
    yield (text) => ({ type: "turn.end", turnIndex, outcome: "completed", text });
  }
}

/** From 19 to 41 events. */
function* agentrailRun(random: () => number): Generator<EventWithText> {
  yield (text) => ({ type: "agent_start", text });
  for (let turn = 2 + Math.floor(random() * 3); turn > 0; turn--) {
    yield (text) => ({ type: "turn_start", text });
    yield* modelCall(random);
    yield* toolExecution(random);
    yield (text) => ({ type: "turn_end", message: assistantMessage(text), toolResults: [] });
  }
}

function* longRun(random: () => number): Generator<EventWithText> {
  yield (text) => ({ type: "agent_start", text });
  for (;;) {
    yield* modelCall(random);
    yield* toolExecution(random);
  }
}

function* modelCall(random: () => number): Generator<EventWithText> {
  yield (text) => ({ type: "message_start", message: assistantMessage(text) });
  for (let update = 2 + Math.floor(random() * 2); update > 0; update--) {
    const event = { type: "text_delta", contentIndex: 0, delta: "and found " };
    yield (text) => ({ type: "message_update", message: assistantMessage(text), event });
  }
  yield (text) => ({ type: "message_end", message: assistantMessage(text) });
}

function assistantMessage(text: string): JsonObject {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "anthropic",
    stopReason: "toolUse",
  };
}

function* toolExecution(random: () => number): Generator<EventWithText> {
  const call = { toolCallId: uuidOf(random), toolName: "read_file" };
  const content = (text: string) => ({ content: [{ type: "text", text }] });
  yield (text) => ({ type: "tool_execution_start", ...call, args: { path: "src/main.ts", text } });
  yield (text) => ({ type: "tool_execution_update", ...call, partialResult: content(text) });
  yield (text) => ({ type: "tool_execution_end", ...call, result: content(text), isError: false });
}

function agentrailOrchestration(random: () => number, begin: number): JsonObject[] {
  const runId = `orchestration:${uuidOf(random)}`;
  const initialTask = {
    id: uuidOf(random),
    kind: "agentrail-default-orchestration",
    input: { prompt: "Go." },
  };
  const events: JsonObject[] = [{ type: "run_started", initialTask }];
  for (const number of [1, 2, 3]) {
    const agentId = `agent-${number}`;
    const jobId = uuidOf(random);
    events.push(
      { type: "agent_spawned", agent: { id: agentId, role: "researcher", displayName: `Reader ${number}` } },
      { type: "agent_job_started", agentId, jobId, inputIds: [uuidOf(random)] },
    );
    if (number === 3) continue;
    events.push(
      { type: "agent_job_completed", agentId, job: { jobId, outcome: "completed", outputText: "Found it." } },
      { type: "agent_closed", close: { agentId, reason: "done" } },
    );
  }
  return events.map((event, i) => ({
    eventId: uuidOf(random),
    runId,
    occurredAt: new Date(begin + i * 1_000).toISOString(),
    ...event,
  }));
}
