import { onTestFinished } from "vitest";
import { COPILOT_CLI_TASKS } from "../../../src/adapters/formats/copilot-cli/copilot-cli-format.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../../../src/adapters/transcripts/source/transcript-data-source.js";
import { asDataSource } from "../../../src/application/sources/lift.js";

export { folderWith as newHome, writeFiles } from "../../support/history-files.js";

/** The caller closes it. On the event loop: a thread starts slowly. */
export function sourceOf(place: string, options: TranscriptOptions = {}) {
  return asDataSource(new TranscriptDataSource(place, COPILOT_CLI_TASKS, { threads: false, ...options }));
}

export function openHome(place: string) {
  const source = sourceOf(place);
  onTestFinished(() => source.close?.());
  return source;
}

export const eventsOf = (sessionId: string) => `session-state/${sessionId}/events.jsonl`;

/** Seconds after nine o'clock. */
function at(second: number): string {
  return new Date(Date.UTC(2026, 4, 1, 9) + second * 1_000).toISOString();
}

export type Data = Readonly<Record<string, unknown>>;

/** A record without its id and its parent's id. `agent` is set for a sub-agent's record. */
export interface Happening {
  readonly type: string;
  readonly data: Data;
  readonly second: number;
  readonly agent?: string | undefined;
}

export function happens(second: number, type: string, data: Data = {}, agent?: string): Happening {
  return { type, data, second, agent };
}

const CWD = "/home/ada/shop";

export function started(sessionId: string, more: Data = {}): Happening {
  const context = { cwd: CWD, gitRoot: CWD, branch: "main" };
  const facts = { version: 1, producer: "copilot-agent", copilotVersion: "1.0.102", startTime: at(0) };
  return happens(0, "session.start", { sessionId, ...facts, selectedModel: "gpt-a", context, ...more });
}

export function prompted(second: number, content: string, more: Data = {}, agent?: string): Happening {
  const transformedContent = `<current_datetime>${at(second)}</current_datetime>\n\n${content}`;
  return happens(second, "user.message", { content, transformedContent, delivery: "idle", ...more }, agent);
}

/** `null` for `used` makes a call of an older version. */
export function answered(
  second: number,
  callId: string,
  content: string,
  more: Data = {},
  used: Data | null = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 40 },
  agent?: string,
): Happening[] {
  const usage = { model: "gpt-a", duration: 500, apiCallId: callId, finishReason: "stop", ...used };
  const said = {
    messageId: `m-${callId}`,
    model: "gpt-a",
    content,
    toolRequests: [],
    apiCallId: callId,
    ...more,
  };
  return [
    happens(second - 2, "assistant.turn_start", { turnId: "0" }, agent),
    ...(used === null ? [] : [happens(second, "session.usage_record", { usage }, agent)]),
    happens(second, "assistant.message", said, agent),
    happens(second, "assistant.turn_end", { turnId: "0" }, agent),
  ];
}

export function asking(toolCallId: string, name: string, input: unknown = {}): Data {
  return { toolRequests: [{ toolCallId, name, arguments: input, type: "function" }] };
}

export function begun(
  second: number,
  toolCallId: string,
  toolName: string,
  input: unknown = {},
  agent?: string,
) {
  return happens(second, "tool.execution_start", { toolCallId, toolName, arguments: input }, agent);
}

export function ended(second: number, toolCallId: string, content: string, more: Data = {}, agent?: string) {
  return happens(
    second,
    "tool.execution_complete",
    { toolCallId, success: true, result: { content }, ...more },
    agent,
  );
}

export function shutDown(second: number, models: Data, more: Data = {}): Happening {
  const modelMetrics = Object.fromEntries(Object.entries(models).map(([model, usage]) => [model, { usage }]));
  return happens(second, "session.shutdown", {
    shutdownType: "routine",
    sessionStartTime: 1,
    modelMetrics,
    ...more,
  });
}

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

export function lines(...happenings: readonly (Happening | readonly Happening[])[]): string {
  return happenings
    .flat()
    .map(({ type, data, second, agent }, n) => {
      const order = { id: uuid(n + 1), timestamp: at(second), parentId: n === 0 ? null : uuid(n) };
      return `${JSON.stringify({ type, data, ...order, ...(agent === undefined ? {} : { agentId: agent }) })}\n`;
    })
    .join("");
}
