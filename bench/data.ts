import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Writable } from "node:stream";

/** Where a benchmark's session lies. */
export interface BenchSession {
  readonly tenantId: string;
  readonly sessionId: string;
}

const BEGIN = Date.UTC(2026, 0, 15, 8);

/** A generator of numbers from 0 to 1 that gives the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS =
  "the agent read a file and found that its tests fail because of an import which was moved".split(" ");

function prose(random: () => number, characters: number): string {
  let text = "";
  while (text.length < characters) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text.slice(0, characters);
}

/** Envelopes as an agent writes them: turns of model calls and tool calls; about `bytes` bytes each. */
export function* traceLines(
  session: BenchSession,
  count: number,
  bytes: number,
  seed = 1,
): Generator<string> {
  const random = seeded(seed);
  const perTurn = 20;
  for (let i = 0; i < count; i++) {
    const turnIndex = Math.floor(i / perTurn);
    const step = i % perTurn;
    const isLast = step === perTurn - 1 || i === count - 1;
    const event =
      step === 0
        ? { type: "turn.start", turnIndex }
        : isLast
          ? { type: "turn.end", turnIndex, outcome: "completed" }
          : step % 2 === 1
            ? {
                type: "tool.start",
                toolCallId: `call-${i}`,
                toolName: "read_file",
                input: { path: `src/${i}.ts` },
              }
            : { type: "tool.end", toolCallId: `call-${i - 1}`, toolName: "read_file", output: "" };
    const envelope = {
      id: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
      timestamp: new Date(BEGIN + i * 250).toISOString(),
      sequence: i,
      source: "runtime",
      ...session,
      traceId: `trace-${seed}`,
      event,
    };
    const rest = Math.max(0, bytes - JSON.stringify(envelope).length - 12);
    yield JSON.stringify({
      ...envelope,
      event: { ...event, text: prose(random, Math.floor(rest * (0.7 + 0.6 * random()))) },
    });
  }
}

export function* messageLines(count: number, bytes: number, seed = 2): Generator<string> {
  const random = seeded(seed);
  for (let i = 0; i < count; i++) {
    const role = i % 2 === 0 ? "user" : "assistant";
    yield JSON.stringify({ role, content: [{ type: "text", text: prose(random, bytes - 60) }] });
  }
}

/** Writes lines, and the same records as the ready body of a response. */
export async function writeLinesAndBody(
  file: string,
  body: string,
  member: string,
  lines: Iterable<string>,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const jsonl = createWriteStream(file);
  const json = createWriteStream(body);
  json.write(`{"${member}":[`);
  let separator = "";
  for (const line of lines) {
    await write(jsonl, `${line}\n`);
    await write(json, separator + line);
    separator = ",";
  }
  json.end("]}");
  jsonl.end();
  await Promise.all([once(json, "close"), once(jsonl, "close")]);
}

async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}

export function sessionFolder(dataDir: string, { tenantId, sessionId }: BenchSession): string {
  return path.join(dataDir, "tenants", tenantId, "sessions", sessionId);
}

/** Many sessions of the same size, for the list. */
export async function writeManySessions(
  dataDir: string,
  sessions: number,
  envelopes: number,
  bytes: number,
): Promise<void> {
  for (let i = 0; i < sessions; i++) {
    const session = { tenantId: `tenant-${i % 10}`, sessionId: `session-${String(i).padStart(6, "0")}` };
    const folder = sessionFolder(dataDir, session);
    await mkdir(path.join(folder, "trace"), { recursive: true });
    const init = {
      type: "init",
      ...session,
      userId: `user-${i % 50}`,
      title: `Session ${i}`,
      createdAt: BEGIN + i,
    };
    const turns = Array.from({ length: Math.ceil(envelopes / 20) }, (_, turnIndex) => ({
      type: "turn",
      turnIndex,
      inputTokens: 900,
      outputTokens: 80,
      cacheReadTokens: 12_000,
      cacheWriteTokens: 400,
      updatedAt: BEGIN + turnIndex * 5_000,
    }));
    const log = [init, ...turns].map((record) => `${JSON.stringify(record)}\n`).join("");
    await writeFile(path.join(folder, "session.jsonl"), log);
    let trace = "";
    for (const line of traceLines(session, envelopes, bytes, i + 1)) trace += `${line}\n`;
    await writeFile(path.join(folder, "trace", "events.jsonl"), trace);
  }
}
