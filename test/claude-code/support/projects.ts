import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { createClaudeCodeDataSource, type TranscriptOptions } from "../../../src/claude-code.js";
import type { WorkflowTraceEventEnvelope } from "../../../src/domain/trace/trace-envelope.js";

/** The samples that lie beside these tests. */
export const FIXTURES = path.resolve(import.meta.dirname, "../fixtures/projects");

/** Histories that were invented as each version writes them. */
export const SAMPLES = path.resolve(import.meta.dirname, "../fixtures/samples");

/** A projects folder of a test's own; gone when the test is over. */
export async function newProjects(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "claude-code-projects-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return root;
}

/** The samples, in a folder that a test may change. */
export async function copyOfFixtures(): Promise<string> {
  const root = await newProjects();
  await cp(FIXTURES, root, { recursive: true });
  return root;
}

export function lines(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
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

/** Which line of which file an envelope is derived from. */
export function storedIn({ event }: WorkflowTraceEventEnvelope): { file: string; line: number } {
  return event.stored as { file: string; line: number };
}

/** Histories that are read on the event loop: a thread that runs from source takes a while to begin. */
export function openHistories(root: string, options: TranscriptOptions = {}) {
  return createClaudeCodeDataSource(root, { threads: false, ...options });
}
