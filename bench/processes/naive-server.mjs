// Yardstick: the naive way. Read each file whole, parse every line, sort, answer with one JSON.stringify.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const dataDir = process.argv[2];

const linesOf = async (file) =>
  (await readFile(file, "utf8").catch(() => ""))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

async function describe(tenantId, sessionId) {
  const folder = path.join(dataDir, "tenants", tenantId, "sessions", sessionId);
  const log = await linesOf(path.join(folder, "session.jsonl"));
  const trace = await linesOf(path.join(folder, "trace", "events.jsonl"));
  const events = await linesOf(path.join(folder, "orchestration", "events.jsonl"));
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

const app = new Hono();
app.get("/sessions", async (c) => {
  const sessions = [];
  for (const tenantId of await readdir(path.join(dataDir, "tenants"))) {
    const ids = await readdir(path.join(dataDir, "tenants", tenantId, "sessions"));
    sessions.push(...(await Promise.all(ids.map((sessionId) => describe(tenantId, sessionId)))));
  }
  sessions.sort((a, b) => (a.lastActive < b.lastActive ? 1 : -1));
  return c.json({ sessions });
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send({ port }));
process.on("message", () => process.send({ maxDelayMs: 0 }));
process.on("disconnect", () => process.exit());
