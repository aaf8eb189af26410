import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { InspectorDataSource } from "../../src/index.js";
import { createPostgresDataSource } from "../../src/postgres.js";

const PROGRAM = fileURLToPath(new URL("../postgres/writer-process.ts", import.meta.url));

/** Records of one call. */
const CALL = 20;

export interface WriterOptions {
  readonly connectionString: string;
  readonly writers: number;
  /** Each writer's. */
  readonly records: number;
  readonly sessions: number;
}

/** Acknowledged records by writer, session and list. */
export type Acknowledged = Map<string, number>;

/** Resolves when all processes have ended successfully. */
export async function runWriters(
  options: WriterOptions,
  acknowledged: Acknowledged = new Map(),
): Promise<Acknowledged> {
  await Promise.all(
    Array.from({ length: options.writers }, (_, writer) =>
      runWriter(options, `writer-${writer}`, acknowledged),
    ),
  );
  return acknowledged;
}

export function countOf(acknowledged: Acknowledged): number {
  return [...acknowledged.values()].reduce((sum, records) => sum + records, 0);
}

async function runWriter(options: WriterOptions, name: string, acknowledged: Acknowledged): Promise<void> {
  const values = [options.connectionString, name, String(options.records), String(options.sessions)];
  const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, ...values]);
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (output + text).split("\n");
    output = lines.pop()!;
    for (const line of lines) {
      const [writer, session, list, records] = line.split(" ");
      acknowledged.set(`${writer} ${session} ${list}`, Number(records));
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`A writer ended with ${code}.\n${complaints}`);
}

interface Mark {
  readonly writer: string;
  readonly number: number;
}

export async function readSession(
  source: InspectorDataSource,
  session: number,
): Promise<Map<string, number>> {
  const ids = [`tenant-${session % 5}`, `session-${session}`] as const;
  const found = new Map<string, number>();
  const envelopes = await source.loadTraceEnvelopes(...ids);
  const messages = await source.loadMessages(...ids);
  count(
    found,
    session,
    "trace",
    envelopes.map(({ event }) => event as unknown as Mark),
  );
  count(found, session, "messages", messages as unknown as Mark[]);
  return found;
}

/** Each writer numbers its records from 0: none may be missing, doubled or out of order, and no call stored in part. */
function count(found: Map<string, number>, session: number, list: string, marks: readonly Mark[]): void {
  for (const { writer, number } of marks) {
    const key = `${writer} ${session} ${list}`;
    const expected = found.get(key) ?? 0;
    if (number !== expected) throw new Error(`${key}: ${number} where ${expected} was expected`);
    found.set(key, expected + 1);
  }
  for (const [key, records] of found) {
    if (records % CALL !== 0) throw new Error(`${key}: a call is there in part, ${records} records`);
  }
}

/** @returns the number of readings */
export async function readUntil(
  stopped: Promise<unknown>,
  source: InspectorDataSource,
  sessions: number,
  isExpected: (error: unknown) => boolean = () => false,
): Promise<number> {
  let isStopped = false;
  void stopped.finally(() => {
    isStopped = true;
  });
  let readings = 0;
  while (!isStopped) {
    try {
      await readSession(source, Math.floor(Math.random() * sessions));
      readings++;
    } catch (error) {
      if (!isExpected(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20)); // until the server is back, which gives no signal
    }
  }
  return readings;
}

/** By writer, session and list. */
export async function everyRecord(connectionString: string, sessions: number): Promise<Map<string, number>> {
  const source = createPostgresDataSource({ connectionString });
  const found = new Map<string, number>();
  for (let session = 0; session < sessions; session++) {
    for (const [key, records] of await readSession(source, session)) found.set(key, records);
  }
  await source.close?.();
  return found;
}
