import { onTestFinished } from "vitest";
import { QWEN_CODE_TASKS } from "../../../src/adapters/formats/qwen-code/qwen-code-format.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../../../src/adapters/transcripts/source/transcript-data-source.js";
import { asDataSource } from "../../../src/application/sources/lift.js";
import { folderWith, lines } from "../../support/history-files.js";

export { folderWith as newHome, lines } from "../../support/history-files.js";

/** On the event loop: a thread starts slowly from source. */
export function openQwenCode(root: string, options: TranscriptOptions = { threads: false }) {
  return asDataSource(new TranscriptDataSource(root, QWEN_CODE_TASKS, options));
}

export const CHAT = "projects/-srv-shop/chats/s1.jsonl";

export async function openSession(files: Readonly<Record<string, string>>) {
  const source = openQwenCode(await folderWith(files));
  onTestFinished(() => source.close?.());
  const [item] = (await source.listSessions()).filter(({ sessionId }) => sessionId === "s1");
  const { tenantId, sessionId } = item!;
  const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
  const snapshot = (await source.openSession!(tenantId, sessionId))!;
  const agents = (await (await snapshot.orchestration()).state())?.snapshot.agents ?? {};
  const { outline } = await snapshot.messages();
  const events = (type: string) => trace.filter(({ event }) => event.type === type).map(({ event }) => event);
  const messages = await source.loadMessages(tenantId, sessionId);
  return { source, item: item!, trace, events, agents, outline: outline!, messages };
}

/** Seconds after nine o'clock. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 4, 1, 9) + second * 1_000).toISOString();
}

/** Each record follows the previous one unless it has a `parentUuid`. */
export function chain(...records: readonly Readonly<Record<string, unknown>>[]): string {
  let parentUuid: unknown = null;
  return lines(
    ...records.map((record) => {
      const chained = {
        parentUuid,
        sessionId: "s1",
        cwd: "/srv/shop",
        version: "0.24.4",
        gitBranch: "main",
        ...record,
      };
      parentUuid = record.uuid;
      return chained;
    }),
  );
}

export function user(uuid: string, second: number, text: string, more: object = {}) {
  return { uuid, timestamp: at(second), type: "user", message: { role: "user", parts: [{ text }] }, ...more };
}

export const call = (id: string, name = "ls", args: object = {}) => ({ functionCall: { id, name, args } });

/** A thousand prompt tokens for each unit of size, half of them cached. */
const usageOf = (size: number) => ({
  promptTokenCount: size * 1_000,
  cachedContentTokenCount: size * 500,
  candidatesTokenCount: size * 10,
  thoughtsTokenCount: size,
  totalTokenCount: size * 1_010,
});

export function answer(uuid: string, second: number, parts: readonly object[], size = 1, more: object = {}) {
  const message = { role: "model", parts };
  const usage = size === 0 ? {} : { usageMetadata: usageOf(size) };
  return { uuid, timestamp: at(second), type: "assistant", model: "qwen-x", message, ...usage, ...more };
}

export function result(uuid: string, second: number, id: string, response: object, more: object = {}) {
  const message = { role: "user", parts: [{ functionResponse: { id, name: "ls", response } }] };
  return {
    uuid,
    timestamp: at(second),
    type: "tool_result",
    message,
    toolCallResult: { callId: id, status: "success", ...more },
  };
}

export function system(uuid: string, second: number, subtype: string, systemPayload: object) {
  return { uuid, timestamp: at(second), type: "system", subtype, systemPayload };
}

export function told(uuid: string, second: number, name: string, more: object) {
  const uiEvent = {
    "event.name": `qwen-code.${name}`,
    "event.timestamp": at(second),
    duration_ms: 500,
    ...more,
  };
  return system(uuid, second, "ui_telemetry", { uiEvent });
}

export function response(uuid: string, second: number, size: number, more: object = {}) {
  const counts = usageOf(size);
  return told(uuid, second, "api_response", {
    model: "qwen-x",
    prompt_id: "s1########1",
    input_token_count: counts.promptTokenCount,
    cached_content_token_count: counts.cachedContentTokenCount,
    output_token_count: counts.candidatesTokenCount,
    thoughts_token_count: counts.thoughtsTokenCount,
    total_token_count: counts.totalTokenCount,
    ...more,
  });
}
