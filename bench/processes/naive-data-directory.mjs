import { readdir } from "node:fs/promises";
import path from "node:path";
import { recordsOf } from "./naive-lines.mjs";

export async function sessionsIn(dataDir) {
  const sessions = [];
  for (const tenantId of await readdir(path.join(dataDir, "tenants"))) {
    const ids = await readdir(path.join(dataDir, "tenants", tenantId, "sessions"));
    sessions.push(...(await Promise.all(ids.map((sessionId) => describe(dataDir, tenantId, sessionId)))));
  }
  return sessions;
}

async function describe(dataDir, tenantId, sessionId) {
  const folder = path.join(dataDir, "tenants", tenantId, "sessions", sessionId);
  const log = await recordsOf(path.join(folder, "session.jsonl"));
  const trace = await recordsOf(path.join(folder, "trace", "events.jsonl"));
  const events = await recordsOf(path.join(folder, "orchestration", "events.jsonl"));
  const turns = log.filter((record) => record.type === "turn");
  const instants = [
    ...trace.map((envelope) => envelope.timestamp),
    ...events.map((event) => event.occurredAt),
  ];
  const tokens = turns.reduce(
    (sum, turn) => sum + turn.inputTokens + turn.outputTokens + turn.cacheReadTokens + turn.cacheWriteTokens,
    0,
  );
  const { userId, title } = log[0];
  return {
    tenantId,
    sessionId,
    userId,
    title,
    lastActive: instants.sort().at(-1),
    turns: turns.length,
    tokens,
    status: "idle",
  };
}
