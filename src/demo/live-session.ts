import type { RecordedSession, RecordedTrace } from "../application/recording/recorded-session.js";
import type { SessionRecorder } from "../application/recording/session-recorder.js";
import type { Message } from "../domain/conversation/message.js";
import { derivedId } from "../domain/text/fingerprints.js";
import type { RecordableEvent } from "../domain/trace/runtime-event.js";
import { ModelContext } from "./model-context.js";

export interface LiveSession {
  stop(): Promise<void>;
}

const MODEL = "claude-sonnet-4-5";
const TASK = "Keep an eye on the staging deployment and tell me when something looks odd.";
const CHECKS = ["error rate", "p99 latency", "queue depth", "memory of the workers"];

interface Step {
  readonly events: readonly RecordableEvent[];
  readonly messages?: readonly Message[];
}

/** Its timer does not keep the process alive. */
export async function startLiveSession(recorder: SessionRecorder, everyMs = 3_000): Promise<LiveSession> {
  const session = await recorder.open({
    tenantId: "acme",
    userId: "ada@acme.example",
    agentId: "watch-agent",
    title: "Watch the staging deployment (live)",
  });
  const trace = session.startTrace();
  const steps = watching();
  let writing = record(session, trace, steps.next().value);
  await writing;
  const timer = setInterval(() => {
    writing = writing
      .then(() => record(session, trace, steps.next().value))
      .catch(() => {
        clearInterval(timer);
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

async function record(session: RecordedSession, trace: RecordedTrace, step: Step): Promise<void> {
  for (const event of step.events) await trace.record(event);
  await session.appendMessages(step.messages ?? []);
}

function* watching(): Generator<Step, never> {
  const context = new ModelContext(4_180);
  context.add(TASK);
  yield {
    events: [
      { type: "session.start", model: MODEL },
      { type: "turn.start", turnIndex: 0, input: TASK },
    ],
    messages: [{ role: "user", content: TASK }],
  };
  for (let round = 0; ; round++) {
    const callId = `call_${round}`;
    const toolCallId = `toolu_${round}`;
    const metric = CHECKS[round % CHECKS.length]!;
    const input = { metric, environment: "staging" };
    const content = [{ type: "tool_use", id: toolCallId, name: "check_metric", input }];
    const output = `${metric}: ${readingOf(round)}, nothing odd`;
    const result = [{ type: "tool_result", tool_use_id: toolCallId, content: output }];
    yield { events: [{ type: "llm.start", callId, model: MODEL }] };
    const usage = context.call(content);
    yield {
      events: [
        { type: "llm.end", callId, model: MODEL, usage, stopReason: "tool_use" },
        { type: "tool.start", toolCallId, toolName: "check_metric", input },
      ],
      messages: [{ role: "assistant", content }],
    };
    context.add(content);
    context.add(result);
    yield {
      events: [{ type: "tool.end", toolCallId, toolName: "check_metric", output, isError: false }],
      messages: [{ role: "user", content: result }],
    };
  }
}

function readingOf(round: number): number {
  return (Number.parseInt(derivedId(`reading ${round}`).slice(0, 4), 16) % 400) / 100;
}
