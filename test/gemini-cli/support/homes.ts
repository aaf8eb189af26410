import { onTestFinished } from "vitest";
import { createGeminiCliDataSource, type TranscriptOptions } from "../../../src/gemini-cli.js";

export { folderWith as newHome, lines } from "../../support/history-files.js";

/** On the event loop: a thread starts slowly from source. */
export function openHistories(root: string, options: TranscriptOptions = {}) {
  const source = createGeminiCliDataSource(root, { threads: false, ...options });
  onTestFinished(() => source.close?.());
  return source;
}

/** Seconds after nine o'clock. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 4, 1, 9) + second * 1_000).toISOString();
}

export function header(sessionId: string, more: object = {}): object {
  return { sessionId, projectHash: "ab12", startTime: at(0), lastUpdated: at(0), kind: "main", ...more };
}

export function document(head: object, messages: readonly unknown[], tail: object = {}): string {
  return JSON.stringify({ ...head, messages, ...tail }, undefined, 2);
}

export function user(id: string, second: number, text: string, more: object = {}): object {
  return { id, timestamp: at(second), type: "user", content: [{ text }], ...more };
}

export function gemini(id: string, second: number, content: string, more: object = {}): object {
  const tokens = { input: 100, output: 10, cached: 40, thoughts: 5, tool: 0, total: 115 };
  return {
    id,
    timestamp: at(second),
    type: "gemini",
    content,
    thoughts: [],
    tokens,
    model: "gemini-x",
    ...more,
  };
}

export function note(id: string, second: number, type: string, content: string): object {
  return { id, timestamp: at(second), type, content };
}

export function toolCall(
  id: string,
  second: number,
  output: string,
  more: Readonly<Record<string, unknown>> = {},
): object {
  const result = [{ functionResponse: { id, name: more.name ?? "glob", response: { output } } }];
  return {
    id,
    name: "glob",
    args: { pattern: "*" },
    result,
    status: "success",
    timestamp: at(second),
    ...more,
  };
}
