import { cp } from "node:fs/promises";
import path from "node:path";
import { createClaudeCodeDataSource, type TranscriptOptions } from "../../../src/claude-code.js";
import type { WorkflowTraceEventEnvelope } from "../../../src/domain/trace/trace-envelope.js";
import { folderWith } from "../../support/history-files.js";

export { folderWith as newProjects, lines } from "../../support/history-files.js";

export const FIXTURES = path.resolve(import.meta.dirname, "../fixtures/projects");

export const SAMPLES = path.resolve(import.meta.dirname, "../fixtures/samples");

export async function copyOfFixtures(): Promise<string> {
  const root = await folderWith();
  await cp(FIXTURES, root, { recursive: true });
  return root;
}

/** Seconds after ten o'clock. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 2, 1, 10) + second * 1_000).toISOString();
}

export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export function userRecord(number: number, second: number, content: unknown, more: object = {}): object {
  const message = { role: "user", content };
  return { type: "user", uuid: uuid(number), timestamp: at(second), message, ...more };
}

export function assistantRecord(
  number: number,
  second: number,
  id: string,
  content: readonly unknown[],
  more: { readonly outputTokens?: number; readonly stopReason?: string } = {},
): object {
  const { outputTokens = 1, stopReason = null } = more;
  const usage = { input_tokens: 1, output_tokens: outputTokens };
  const message = { id, role: "assistant", model: "claude-test", content, stop_reason: stopReason, usage };
  return { type: "assistant", uuid: uuid(number), timestamp: at(second), message };
}

export function storedIn({ event }: WorkflowTraceEventEnvelope): { file: string; line: number } {
  return event.stored as { file: string; line: number };
}

/** On the event loop: a thread starts slowly from source. */
export function openHistories(root: string, options: TranscriptOptions = {}) {
  return createClaudeCodeDataSource(root, { threads: false, ...options });
}
