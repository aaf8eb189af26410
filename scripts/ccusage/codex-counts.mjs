import { existsSync } from "node:fs";
import path from "node:path";
import { filesBelow, recordsOf } from "./claude-code-counts.mjs";
import { DayCounts } from "./day-counts.mjs";

/** What `ccusage` takes a call for that names no model. */
const UNNAMED = "gpt-5";

/**
 * What a plain reading of rollouts counts by day and model, by the rules of `ccusage` and of `docs/codex.md`, and between the two.
 *
 * @param rule `archived`: archived threads count. `totals`: what the totals of a thread grew by counts, not each report of the last call, of which Codex
 *   writes some twice. `once`: what a fork or a migration copied counts in the thread that wrote it. `records`: where a thread has exact records of each answer,
 *   they count alone.
 */
export function codexCounts(home, rule) {
  const folders = rule.archived ? ["sessions", "archived_sessions"] : ["sessions"];
  const files = folders
    .map((name) => path.join(home, name))
    .filter(existsSync)
    .flatMap(filesBelow)
    .map(recordsOf)
    .sort((a, b) => begunAt(a) - begunAt(b));
  const counts = new DayCounts();
  const copied = new Set();
  for (const records of files) countThread(counts, records, rule, copied);
  return counts;
}

function countThread(counts, records, rule, copied) {
  const hasRecords = rule.records && records.some(({ type }) => type === "token_usage_record");
  const own = new Set();
  let model;
  let before;
  for (const { type, payload, timestamp } of records) {
    if (type === "turn_context") model = payload.model ?? model;
    if (hasRecords && type === "token_usage_record") {
      const key = `${payload.turn_id} ${payload.response_id}`;
      if (!own.has(key)) counts.add(timestamp, payload.model ?? model ?? UNNAMED, tokensOf(payload.usage));
      own.add(key);
    }
    if (hasRecords || type !== "event_msg" || payload?.type !== "token_count") continue;
    const { last_token_usage: last, total_token_usage: total } = payload.info ?? {};
    const key = JSON.stringify([last, total, payload.rate_limits]);
    const isCopy = rule.once && copied.has(key) && !own.has(key);
    own.add(key);
    const grown =
      total &&
      (before === undefined || total.total_tokens < before.total_tokens
        ? (last ?? total)
        : less(total, before));
    const used = rule.totals ? (grown ?? last) : (last ?? grown);
    before = total ?? before;
    if (used && !isCopy) counts.add(timestamp, model ?? UNNAMED, tokensOf(used));
  }
  for (const key of own) copied.add(key);
}

function less(total, before) {
  return Object.fromEntries(
    Object.entries(total).map(([name, count]) => [name, count - (before[name] ?? 0)]),
  );
}

function tokensOf({
  input_tokens: input = 0,
  cached_input_tokens: cached = 0,
  output_tokens: output = 0,
  ...rest
}) {
  const cacheWrite = rest.cache_write_input_tokens ?? 0;
  return { input: input - cached, output, cacheRead: cached, cacheWrite: 0 && cacheWrite };
}

function begunAt(records) {
  return Date.parse(records[0]?.payload?.timestamp ?? records[0]?.timestamp ?? 0);
}
