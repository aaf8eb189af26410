import { existsSync } from "node:fs";
import path from "node:path";
import { filesBelow, recordsOf } from "./claude-code-counts.mjs";
import { DayCounts } from "./day-counts.mjs";

/** `ccusage` assumes this model for a call without one. */
const GUESSED = "gpt-5";

/**
 * A plain count of rollouts by day and model, by the rules of `ccusage`, of `docs/codex.md`, or between the two.
 * @param rule `archived`: archived threads count. `records`: exact records of answers, where a thread has them, count alone, each once.
 *   `totals`: growth of the totals counts, not each report of the last call, as Codex writes some twice. `once`: a fork's copied
 *   beginning counts only in its original thread. `unnamed`: a call without a model has none.
 */
export function codexCounts(home, rule) {
  const folders = rule.archived ? ["sessions", "archived_sessions"] : ["sessions"];
  const threads = folders
    .map((name) => path.join(home, name))
    .filter(existsSync)
    .flatMap(filesBelow)
    .map(recordsOf)
    .sort((a, b) => begunAt(a) - begunAt(b));
  const reading = { counts: new DayCounts(), rule, copied: new Set(), answers: new Set() };
  for (const records of threads) {
    const hasRecords = rule.records && records.some(({ type }) => type === "token_usage_record");
    (hasRecords ? countAnswers : countReports)(reading, records);
  }
  return reading.counts;
}

function countAnswers({ counts, rule, answers }, records) {
  let model = rule.unnamed ? "" : GUESSED;
  for (const { type, payload, timestamp } of records) {
    if (type === "turn_context") model = payload.model ?? model;
    const key = `${payload?.turn_id} ${payload?.response_id}`;
    if (type !== "token_usage_record" || answers.has(key)) continue;
    answers.add(key);
    counts.add(timestamp, model, tokensOf(payload.usage));
  }
}

function countReports({ counts, rule, copied }, records) {
  const isFork = typeof records[0]?.payload?.forked_from_id === "string";
  const own = new Set();
  let model = rule.unnamed ? "" : GUESSED;
  let before;
  for (const { type, payload, timestamp } of records) {
    if (type === "turn_context") model = payload.model ?? model;
    if (type !== "event_msg" || payload?.type !== "token_count") continue;
    const { last_token_usage: last, total_token_usage: total } = payload.info ?? {};
    const key = JSON.stringify([last, total].map((usage) => usage && Object.entries(usage).sort()));
    const isNew = total && (before === undefined || total.total_tokens < before.total_tokens);
    const grown = total && (isNew ? (last ?? total) : less(total, before));
    before = total ?? before;
    const used = rule.totals ? (grown ?? last) : (last ?? grown);
    const isCopy = rule.once && isFork && copied.has(key);
    if (used && !isCopy) counts.add(timestamp, model, tokensOf(used));
    own.add(key);
  }
  for (const key of own) copied.add(key);
}

function less(total, before) {
  return Object.fromEntries(
    Object.entries(total).map(([name, count]) => [name, count - (before[name] ?? 0)]),
  );
}

/** The input includes cached tokens there. */
function tokensOf({ input_tokens: input = 0, cached_input_tokens: cached = 0, output_tokens: output = 0 }) {
  return { input: input - cached, output, cacheRead: cached };
}

function begunAt(records) {
  return Date.parse(records[0]?.payload?.timestamp ?? records[0]?.timestamp ?? 0);
}
