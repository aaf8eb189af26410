import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "../src/domain/json/json.js";
import { prose, seeded } from "./random.js";
import type { Shape } from "./shapes.js";

export interface BenchSession {
  readonly tenantId: string;
  readonly sessionId: string;
}

export interface TraceSize {
  readonly envelopes: number;
  readonly envelopeBytes: number;
}

const BEGIN = Date.UTC(2026, 0, 15, 8);

/** @returns the number of entries in both */
export async function writeTrace(
  dataDir: string,
  session: BenchSession,
  shape: Shape,
  { envelopes, envelopeBytes }: TraceSize,
  seed = 1,
): Promise<number> {
  const random = seeded(seed);
  const folder = sessionFolder(dataDir, session);
  await writeLines(
    path.join(folder, "trace", "events.jsonl"),
    traceLines(session, shape, envelopes, envelopeBytes, random),
  );
  const events = shape.orchestration(random, BEGIN);
  const log = path.join(folder, "orchestration", "events.jsonl");
  if (events.length > 0) await writeLines(log, linesOf(events));
  return envelopes + events.length;
}

export async function writeMessages(
  dataDir: string,
  session: BenchSession,
  messages: number,
  bytes: number,
): Promise<void> {
  await writeLines(
    path.join(sessionFolder(dataDir, session), "messages.jsonl"),
    messageLines(messages, bytes),
  );
}

export async function writeSessions(
  dataDir: string,
  sessions: number,
  shape: Shape,
  size: TraceSize,
): Promise<void> {
  for (let i = 0; i < sessions; i++) {
    const session = { tenantId: `tenant-${i % 10}`, sessionId: `session-${String(i).padStart(6, "0")}` };
    await writeTrace(dataDir, session, shape, size, i + 1);
    await writeLines(
      path.join(sessionFolder(dataDir, session), "session.jsonl"),
      linesOf(sessionLog(session, i, size.envelopes)),
    );
  }
}

function* traceLines(
  session: BenchSession,
  shape: Shape,
  count: number,
  bytes: number,
  random: () => number,
): Generator<string> {
  const events = shape.events(random);
  for (let i = 0; i < count; i++) {
    const { traceId, sequence, event } = events.next().value;
    const envelope = (text: string) => ({
      id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
      timestamp: new Date(BEGIN + i * 250).toISOString(),
      sequence,
      source: "runtime",
      ...session,
      traceId,
      event: event(text),
    });
    const rest = Math.max(0, bytes - JSON.stringify(envelope("")).length);
    yield JSON.stringify(envelope(prose(random, Math.floor(rest * (0.7 + 0.6 * random())))));
  }
}

function* messageLines(count: number, bytes: number): Generator<string> {
  const random = seeded(2);
  for (let i = 0; i < count; i++) {
    const role = i % 2 === 0 ? "user" : "assistant";
    yield JSON.stringify({ role, content: [{ type: "text", text: prose(random, bytes - 60) }] });
  }
}

function sessionLog(session: BenchSession, number: number, envelopes: number): JsonObject[] {
  const title = `Session ${number}`;
  const init = { type: "init", ...session, userId: `user-${number % 50}`, title, createdAt: BEGIN + number };
  const turns = Array.from({ length: Math.ceil(envelopes / 20) }, (_, turnIndex) => ({
    type: "turn",
    turnIndex,
    inputTokens: 900,
    outputTokens: 80,
    cacheReadTokens: 12_000,
    cacheWriteTokens: 400,
    updatedAt: BEGIN + turnIndex * 5_000,
  }));
  return [init, ...turns];
}

function* linesOf(records: readonly JsonObject[]): Generator<string> {
  for (const record of records) yield JSON.stringify(record);
}

/** Characters of one write. */
const CHUNK = 1 << 20;

export async function writeLines(file: string, lines: Iterable<string>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, chunksOf(lines));
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

function sessionFolder(dataDir: string, { tenantId, sessionId }: BenchSession): string {
  return path.join(dataDir, "tenants", tenantId, "sessions", sessionId);
}
