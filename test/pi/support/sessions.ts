import { onTestFinished } from "vitest";
import { openHistories, type TranscriptOptions } from "../../../src/histories.js";
import { folderWith, lines } from "../../support/history-files.js";

export { folderWith as newSessions, lines, writeFiles } from "../../support/history-files.js";

export const TENANT = "-srv-shop";

/** On the event loop: a thread starts slowly from source. */
export async function openSessions(root: string, options: TranscriptOptions & { format?: string } = {}) {
  const { format = "pi", ...others } = options;
  const source = await openHistories(format, root, { threads: false, ...others });
  onTestFinished(() => source.close?.());
  return source;
}

export async function openOne(...entries: readonly unknown[]) {
  const source = await openSessions(await folderWith({ [fileOf("s1")]: lines(header("s1"), ...entries) }));
  const [item] = await source.listSessions();
  const trace = await source.loadTraceEnvelopes(TENANT, "s1");
  const events = trace.toSorted((a, b) => a.sequence - b.sequence).map(({ event }) => event);
  const of = (...types: readonly string[]) => events.filter(({ type }) => types.includes(type));
  const messages = await (await source.openSession!(TENANT, "s1"))!.messages();
  return { source, item: item!, trace, events, of, outline: messages.outline!, size: messages.size };
}

/** Seconds after nine o'clock. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 4, 1, 9) + second * 1_000).toISOString();
}

const ms = (second: number) => Date.parse(at(second));

export function fileOf(sessionId: string, second = 0): string {
  return `--srv-shop--/${at(second).replace(/[:.]/g, "-")}_${sessionId}.jsonl`;
}

export function header(id: string, more: object = {}): object {
  return { type: "session", version: 3, id, timestamp: at(0), cwd: "/srv/shop", ...more };
}

export function entry(type: string, id: string, parentId: string | null, second: number, more: object = {}) {
  return { type, id, parentId, timestamp: at(second), ...more };
}

export function message(id: string, parentId: string | null, second: number, own: object) {
  return entry("message", id, parentId, second, { message: { timestamp: ms(second), ...own } });
}

export function user(id: string, parentId: string | null, second: number, text: string) {
  return message(id, parentId, second, { role: "user", content: [{ type: "text", text }] });
}

export function usage(input: number, output: number, cost = 0.01) {
  const tokens = { input, output, cacheRead: 5, cacheWrite: 2, totalTokens: input + output + 7 };
  return { ...tokens, cost: { input: cost, output: 0, cacheRead: 0, cacheWrite: 0, total: cost } };
}

/** Its request was a second earlier. */
export function said(id: string, parentId: string | null, second: number, text: string, more: object = {}) {
  return message(id, parentId, second, {
    role: "assistant",
    content: text === "" ? [] : [{ type: "text", text }],
    provider: "acme",
    model: "m-1",
    usage: usage(10, 3),
    stopReason: "stop",
    timestamp: ms(second - 1),
    ...more,
  });
}

export function called(id: string, parentId: string | null, second: number, call: string, more: object = {}) {
  const content = [{ type: "toolCall", id: call, name: "bash", arguments: { command: "ls" } }];
  return said(id, parentId, second, "", { content, stopReason: "toolUse", ...more });
}

export function result(
  id: string,
  parentId: string | null,
  second: number,
  call: string,
  text: string,
  more: object = {},
) {
  const content = [{ type: "text", text }];
  return message(id, parentId, second, {
    role: "toolResult",
    toolCallId: call,
    toolName: "bash",
    content,
    isError: false,
    ...more,
  });
}
