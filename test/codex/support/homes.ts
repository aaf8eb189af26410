import { createCodexDataSource, type TranscriptOptions } from "../../../src/codex.js";

export { folderWith as newHome, writeFiles } from "../../support/history-files.js";

export function openHome(home: string, options: TranscriptOptions = {}) {
  return createCodexDataSource(home, { threads: false, ...options });
}

export function rolloutOf(thread: string, day = "2026/07/01", time = "10-00-00"): string {
  return `sessions/${day}/rollout-${day.replaceAll("/", "-")}T${time}-${thread}.jsonl`;
}

export function lines(records: readonly Rec[], from = 0): string {
  return records
    .map(([type, payload], i) => JSON.stringify({ timestamp: at(from + i), type, payload }))
    .map((line) => `${line}\n`)
    .join("");
}

export type Rec = readonly [type: string, payload: object];

/** Seconds after ten o'clock. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 6, 1, 10) + second * 1_000).toISOString();
}

export const CWD = "/home/ada/book-shop";
export const TENANT = "-home-ada-book-shop";

export const meta = (id: string, more: object = {}): Rec => [
  "session_meta",
  {
    id,
    timestamp: at(0),
    cwd: CWD,
    originator: "codex_cli_rs",
    cli_version: "0.144.0",
    source: "cli",
    ...more,
  },
];
export const event = (type: string, more: object = {}): Rec => ["event_msg", { type, ...more }];
export const item = (type: string, more: object = {}): Rec => ["response_item", { type, ...more }];
export const said = (role: string, text: string): Rec =>
  item("message", { role, content: [{ type: role === "assistant" ? "output_text" : "input_text", text }] });
export const started = (turn: string): Rec => event("task_started", { turn_id: turn });
export const completed = (turn: string, last: string | null = "Done."): Rec =>
  event("task_complete", { turn_id: turn, last_agent_message: last, duration_ms: 1_500 });
export const called = (id: string, name: string, input: object): Rec =>
  item("function_call", { name, arguments: JSON.stringify(input), call_id: id });
export const answered = (id: string, output: unknown): Rec =>
  item("function_call_output", { call_id: id, output });

export function counted(
  input: number,
  cached: number,
  output: number,
  last?: readonly [number, number, number],
): Rec {
  return event("token_count", {
    info: {
      total_token_usage: usage(input, cached, output),
      last_token_usage: usage(...(last ?? [input, cached, output])),
    },
  });
}

function usage(input: number, cached: number, output: number) {
  const tokens = { input_tokens: input, cached_input_tokens: cached, output_tokens: output };
  return { ...tokens, reasoning_output_tokens: 0, total_tokens: input + output };
}

export function prompted(text: string): Rec[] {
  return [said("user", text), event("user_message", { message: text, images: [] })];
}

/** Without references to their lines. */
export function eventsOf(trace: readonly { readonly event: object }[]): Record<string, unknown>[] {
  return trace.map(({ event }) => {
    const { stored: _, record: __, ...own } = event as Record<string, unknown>;
    return own;
  });
}

/** A Zstandard file with raw blocks. */
export function packed(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const frame = Buffer.alloc(9);
  frame.writeUInt32LE(0xfd2fb528, 0);
  // Single segment, with a size of four bytes.
  frame.writeUInt8(0xa0, 4);
  frame.writeUInt32LE(bytes.length, 5);
  const blocks = [frame];
  for (let from = 0; from < bytes.length; from += BLOCK) {
    const block = bytes.subarray(from, from + BLOCK);
    const isLast = from + BLOCK >= bytes.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    blocks.push(header, block);
  }
  return Buffer.concat(blocks);
}

const BLOCK = 100_000;
