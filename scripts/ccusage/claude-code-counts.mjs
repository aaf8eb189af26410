import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DayCounts } from "./day-counts.mjs";

/**
 * A plain count of Claude Code's files by day and model, by the rules of `ccusage`, of `docs/prices.md`, or between the two.
 * @param rule `largest`: of the records of one message the one with the largest output counts, else the first. `progress`: agents with
 *   progress records alone count.
 */
export function claudeCodeCounts(folders, rule) {
  const records = folders.flatMap((folder) => filesBelow(path.join(folder, "projects")).map(recordsOf));
  const files = records.filter(({ length }) => length > 0).sort((a, b) => earliest(a) - earliest(b));
  const withLines = new Set(files.flat().map(({ agentId }) => agentId));
  const counted = new Map();
  for (const record of files.flat()) {
    const isProgress = record.data?.type === "agent_progress";
    if (isProgress && (!rule.progress || withLines.has(record.data.agentId))) continue;
    const used = isProgress ? record.data.message : record;
    const { id, model, usage } = used?.message ?? {};
    if (Number.isNaN(Date.parse(used?.timestamp ?? record.timestamp))) continue;
    if (usage === undefined || usage === null || model === "<synthetic>") continue;
    const fullKey = id !== undefined && used.requestId !== undefined ? `${id}:${used.requestId}` : undefined;
    const key = fullKey ?? `#${counted.size}`;
    const existing = counted.get(key);
    const at = used.timestamp ?? record.timestamp;
    if (existing === undefined) counted.set(key, { at, model, usage });
    else if (rule.largest && usage.output_tokens > existing.usage.output_tokens)
      counted.set(key, { at: existing.at, model, usage });
  }
  const counts = new DayCounts();
  for (const { at, model, usage } of counted.values()) {
    counts.add(at, model ?? "", {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens,
      cacheWrite: usage.cache_creation_input_tokens,
    });
  }
  return counts;
}

function earliest(records) {
  return Math.min(...records.map(({ timestamp }) => Date.parse(timestamp)).filter((at) => !Number.isNaN(at)));
}

export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

export function recordsOf(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        const value = JSON.parse(line);
        return typeof value === "object" && value !== null ? [value] : [];
      } catch {
        return [];
      }
    });
}
