import { onTestFinished } from "vitest";
import { ATIF_TASKS } from "../../../src/adapters/formats/atif/atif-format.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../../../src/adapters/transcripts/source/transcript-data-source.js";
import { asDataSource } from "../../../src/application/sources/lift.js";
import { folderWith } from "../../support/history-files.js";

export { folderWith as newFolder } from "../../support/history-files.js";

export function atifSource(root: string, options: TranscriptOptions = { threads: false }) {
  return asDataSource(new TranscriptDataSource(root, ATIF_TASKS, options));
}

export async function openFiles(files: Readonly<Record<string, string>>) {
  const source = atifSource(await folderWith(files));
  onTestFinished(() => source.close?.());
  return source;
}

/** Seconds after nine o'clock. */
function at(second: number): string {
  return new Date(Date.UTC(2026, 4, 1, 9) + second * 1_000).toISOString();
}

export function trajectory(
  sessionId: string | undefined,
  steps: readonly unknown[],
  tail: object = {},
  head: object = {},
): object {
  const agent = { name: "tester", version: "1.2.3", model_name: "model-x" };
  return { schema_version: "ATIF-v1.7", session_id: sessionId, agent, ...head, steps, ...tail };
}

export const text = (value: unknown) => JSON.stringify(value, undefined, 1);

export function user(id: number, message: unknown, more: object = {}): object {
  return { step_id: id, timestamp: at(id), source: "user", message, ...more };
}

export function system(id: number, message: string, more: object = {}): object {
  return { step_id: id, timestamp: at(id), source: "system", message, ...more };
}

export function agent(id: number, message: unknown, more: object = {}): object {
  const metrics = { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 40, cost_usd: 0.01 };
  return { step_id: id, timestamp: at(id), source: "agent", message, metrics, ...more };
}

export function call(id: string, name = "ls", more: object = {}): object {
  return { tool_call_id: id, function_name: name, arguments: { path: "/" }, ...more };
}

export function result(id: string, content: unknown, more: object = {}): object {
  return { source_call_id: id, content, ...more };
}
