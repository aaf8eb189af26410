import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { createClaudeCodeDataSource } from "../../../src/claude-code.js";
import { createCodexDataSource } from "../../../src/codex.js";
import { createGeminiCliDataSource } from "../../../src/gemini-cli.js";
import * as claudeCode from "./claude-code.js";
import * as codex from "./codex.js";
import * as geminiCli from "./gemini-cli.js";
import { type OracleCall, rawLines } from "./oracle-call.js";
import type { History } from "./seen-by-calls.js";

export type Format = "claude-code" | "codex" | "gemini-cli";

export function openHistory(format: Format, folder: string): History {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const named = (name: RegExp) =>
    files.filter((file) => name.test(file)).map((file) => path.join(folder, file));
  const options = { threads: false } as const;
  switch (format) {
    case "claude-code":
      return { source: createClaudeCodeDataSource(folder, options), ...claudeCodeIn(named(/\.jsonl$/)) };
    case "codex": {
      const rollouts = named(/rollout-[^/\\]*\.jsonl$/);
      const calls = rollouts.flatMap((file) => codex.callsOf(file));
      const messages = rollouts.flatMap((file) => codex.messagesIn(file));
      return { source: createCodexDataSource(folder, options), calls, messages };
    }
    case "gemini-cli": {
      const chats = named(/[/\\]chats[/\\].*\.jsonl?$/);
      const calls = chats.flatMap((file) => geminiCli.callsOf(file));
      const messages = chats.flatMap((file) => geminiCli.messagesIn(file));
      return { source: createGeminiCliDataSource(folder, options), calls, messages };
    }
    default:
      return format satisfies never;
  }
}

/** The earliest session of a project owns records that several sessions have. */
function claudeCodeIn(files: readonly string[]): Pick<History, "calls" | "messages"> {
  const read = files.map((file) => {
    const records = rawLines(file).map(({ record }) => record);
    const began = records.map(({ timestamp }) => String(timestamp ?? "9")).sort()[0] ?? "9";
    return { file, began, names: records.map(claudeCode.recordName) };
  });
  const known = new Map<string, Set<string>>();
  const calls: OracleCall[] = [];
  for (const { file, names } of read.sort((a, b) => (a.began < b.began ? -1 : 1))) {
    const before = known.get(path.dirname(file)) ?? new Set();
    calls.push(...claudeCode.callsOf(file, sessionOf(file), before));
    known.set(path.dirname(file), new Set([...before, ...names]));
  }
  return { calls, messages: files.flatMap((file) => claudeCode.messagesIn(file)) };
}

/** `undefined` for a sub-agent beside its session: no path leads into the session. */
function sessionOf(file: string): string | undefined {
  const [, folder] = /^(.*)[/\\]subagents[/\\]/.exec(file) ?? [];
  return folder !== undefined && existsSync(`${folder}.jsonl`) ? `${folder}.jsonl` : undefined;
}
