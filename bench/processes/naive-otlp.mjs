import { readdir } from "node:fs/promises";
import path from "node:path";
import { recordsOf } from "./naive-lines.mjs";

/** One session for each trace: one file after the other, all spans in memory. */
export async function sessionsIn(folder) {
  const sessions = new Map();
  for (const name of await readdir(folder)) {
    for (const request of await recordsOf(path.join(folder, name))) {
      for (const { scopeSpans = [] } of request.resourceSpans ?? []) {
        for (const { spans = [] } of scopeSpans) for (const span of spans) add(sessions, span);
      }
    }
  }
  return [...sessions.values()];
}

function add(sessions, { traceId, name, endTimeUnixNano, attributes = [] }) {
  const session = sessions.get(traceId) ?? newSession(traceId, name);
  sessions.set(traceId, session);
  const lastActive = new Date(Number(endTimeUnixNano) / 1e6).toISOString();
  if (lastActive > session.lastActive) session.lastActive = lastActive;
  for (const { key, value } of attributes) {
    if (/^gen_ai\.usage\.(in|out)put_tokens$/.test(key)) session.tokens += Number(value.intValue ?? 0);
  }
}

function newSession(sessionId, title) {
  return {
    tenantId: "default",
    sessionId,
    userId: "",
    title,
    lastActive: "",
    turns: 1,
    tokens: 0,
    status: "idle",
  };
}
