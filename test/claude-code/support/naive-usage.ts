/** Counts a session's tokens by model the simple way, by two rules: that of `ccusage`, and that of `docs/prices.md`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { copiesIn, filesBelow, nameOf } from "./naive-count.js";

interface NaiveRecord {
  readonly uuid?: string;
  readonly timestamp?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly data?: { readonly type?: string; readonly agentId?: string; readonly message?: NaiveRecord };
  readonly message?: {
    readonly id?: string;
    readonly model?: string;
    readonly usage?: Readonly<Record<string, number>>;
  };
}

export interface NaiveTokens {
  inputTokens: number;
  outputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
}

export type NaiveUsage = Record<string, NaiveTokens>;

export interface UsageRule {
  /** Selects one of the records of a message. */
  readonly counts: "first" | "largest output";
  /** Counts agents that only progress records name. */
  readonly withProgress: boolean;
  /** Counts records that an earlier session holds, too. */
  readonly withCopies: boolean;
}

export function naiveUsage(folder: string, sessionId: string, rule: UsageRule): NaiveUsage {
  const records = filesOf(folder, sessionId).flatMap((file) => recordsIn(path.join(folder, file)));
  const withLines = new Set(records.map(({ agentId }) => agentId));
  const counted = new Map<string, NaiveRecord>();
  const copies = copiesIn(folder, sessionId);
  for (const record of records) {
    if (!rule.withCopies && nameOf(record).some((name) => copies.has(name))) continue;
    const isProgress = record.data?.type === "agent_progress";
    if (isProgress && (!rule.withProgress || withLines.has(record.data?.agentId))) continue;
    const used = isProgress ? record.data?.message : record;
    if (used?.message?.usage === undefined || used.message.model === "<synthetic>") continue;
    const key = used.message.id ?? `${counted.size}`;
    const known = counted.get(key);
    const isLarger = outputOf(used) > outputOf(known);
    if (known === undefined || (rule.counts === "largest output" && isLarger)) counted.set(key, used);
  }
  const usage: NaiveUsage = {};
  for (const { message } of counted.values()) {
    const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } =
      message!.usage!;
    const none = { inputTokens: 0, outputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0 };
    usage[message!.model!] ??= none;
    const sum = usage[message!.model!]!;
    sum.inputTokens += input_tokens ?? 0;
    sum.outputTokens += output_tokens ?? 0;
    sum.cacheCreationTokens += cache_creation_input_tokens ?? 0;
    sum.cacheReadTokens += cache_read_input_tokens ?? 0;
  }
  const isUsed = ([, tokens]: [string, NaiveTokens]) => Object.values(tokens).some((count) => count > 0);
  return Object.fromEntries(Object.entries(usage).filter(isUsed));
}

function outputOf(record: NaiveRecord | undefined): number {
  return record?.message?.usage?.output_tokens ?? -1;
}

function filesOf(folder: string, sessionId: string): string[] {
  const beside = readdirSync(folder).filter(
    (name) =>
      /^agent-.*\.jsonl$/.test(name) &&
      recordsIn(path.join(folder, name)).some((record) => record.sessionId === sessionId),
  );
  const below = existsSync(path.join(folder, sessionId)) ? filesBelow(folder, sessionId) : [];
  return [`${sessionId}.jsonl`, ...beside, ...below];
}

function recordsIn(file: string): NaiveRecord[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return typeof value === "object" && value !== null ? [value as NaiveRecord] : [];
      } catch {
        return [];
      }
    });
}
