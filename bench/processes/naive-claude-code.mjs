import { readdir } from "node:fs/promises";
import path from "node:path";
import { recordsOf } from "./naive-lines.mjs";

/** One session after the other: all at once would be far slower. */
export async function sessionsIn(projectsDir) {
  const sessions = [];
  for (const tenantId of await readdir(projectsDir)) {
    const project = path.join(projectsDir, tenantId);
    for (const [sessionId, files] of await filesBySession(project)) {
      sessions.push(await describe(tenantId, sessionId, files));
    }
  }
  return sessions;
}

/** Sub-agents beside a session count separately. */
async function filesBySession(project) {
  const sessions = new Map();
  for (const entry of await readdir(project, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith(".jsonl")) continue;
    const file = path.join(entry.parentPath, entry.name);
    const [top] = path.relative(project, file).split(path.sep);
    const sessionId = path.basename(top, ".jsonl");
    sessions.set(sessionId, [...(sessions.get(sessionId) ?? []), file]);
  }
  return sessions;
}

async function describe(tenantId, sessionId, files) {
  let lastActive = "";
  let title = "";
  let turns = 0;
  const tokens = new Map();
  for (const file of files) {
    for (const record of await recordsOf(file)) {
      if (record.timestamp > lastActive) lastActive = record.timestamp;
      const { content, id, usage } = record.message ?? {};
      if (record.type === "user" && typeof content === "string") {
        title ||= content.slice(0, 200);
        turns++;
      }
      if (usage !== undefined) tokens.set(id, Math.max(tokens.get(id) ?? 0, tokensIn(usage)));
    }
  }
  const all = [...tokens.values()].reduce((sum, count) => sum + count, 0);
  return { tenantId, sessionId, userId: "", title, lastActive, turns, tokens: all, status: "idle" };
}

function tokensIn(usage) {
  const { input_tokens = 0, output_tokens = 0 } = usage;
  const { cache_read_input_tokens = 0, cache_creation_input_tokens = 0 } = usage;
  return input_tokens + output_tokens + cache_read_input_tokens + cache_creation_input_tokens;
}
