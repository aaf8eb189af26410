import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sqlite, { type Database } from "node-sqlite3-wasm";
import { onTestFinished } from "vitest";
import { OPENCODE_TASKS } from "../../../src/adapters/formats/opencode/opencode-format.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../../../src/adapters/transcripts/source/transcript-data-source.js";
import { createInspectorContainer, InProcessPool, TOKENS } from "../../../src/advanced.js";
import { asDataSource } from "../../../src/application/sources/lift.js";

export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "opencode-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function createSource(place: string, options: TranscriptOptions = {}) {
  return asDataSource(new TranscriptDataSource(place, OPENCODE_TASKS, { threads: false, ...options }));
}

export function openHistories(place: string, options: TranscriptOptions = {}) {
  const source = createSource(place, options);
  onTestFinished(() => source.close?.());
  return source;
}

/** Asks SQLite itself, on a copy of the database. */
export function askSqlite(file: string, sql: string): Record<string, unknown>[] {
  const folder = mkdtempSync(path.join(tmpdir(), "opencode-copy-"));
  const copy = path.join(folder, "a.db");
  copyFileSync(file, copy);
  const database = new sqlite.Database(copy);
  try {
    // This build of SQLite opens a database with a log only in exclusive mode.
    database.exec("PRAGMA locking_mode=exclusive");
    return database.all(sql) as Record<string, unknown>[];
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

export const TENANT = "-srv-shop";

export function newDatabase(name = "opencode.db", folder = newFolder()) {
  const history = new HistoryDatabase(path.join(folder, name));
  onTestFinished(() => history.close());
  return { folder, history };
}

export async function eventsOf(folder: string, id: string, type: string) {
  const envelopes = await openHistories(folder).loadTraceEnvelopes(TENANT, id);
  return envelopes.map(({ event }) => event).filter((event) => event.type === type);
}

/** The use cases over one session, without threads. */
export async function openUseCases(folder: string, sessionId: string) {
  const source = openHistories(folder);
  const container = createInspectorContainer(source, { pool: new InProcessPool() });
  const envelopes = await source.loadTraceEnvelopes(TENANT, sessionId);
  const calls = envelopes.flatMap(({ id, event }) => (event.type === "llm.start" ? [id] : []));
  return { container, calls, request: { tenantId: TENANT, sessionId } };
}

/** The messages of each model call's context, in trace order. */
export async function contextsOf(folder: string, sessionId: string) {
  const { container, calls, request } = await openUseCases(folder, sessionId);
  const contexts = container.resolve(TOKENS.getCallContext);
  return Promise.all(calls.map(async (call) => (await contexts.execute({ ...request, call })).messages));
}

const SCHEMA = `
  CREATE TABLE \`session\` (
    \`id\` text PRIMARY KEY, \`project_id\` text NOT NULL, \`parent_id\` text, \`directory\` text NOT NULL, \`title\` text NOT NULL,
    \`version\` text NOT NULL, \`cost\` real DEFAULT 0 NOT NULL, \`revert\` text, \`agent\` text,
    \`time_created\` integer NOT NULL, \`time_updated\` integer NOT NULL);
  CREATE TABLE \`message\` (
    \`id\` text PRIMARY KEY, \`session_id\` text NOT NULL, \`time_created\` integer NOT NULL, \`time_updated\` integer NOT NULL,
    \`data\` text NOT NULL, CONSTRAINT \`fk\` FOREIGN KEY (\`session_id\`) REFERENCES \`session\`(\`id\`) ON DELETE CASCADE);
  CREATE TABLE \`part\` (
    \`id\` text PRIMARY KEY, \`message_id\` text NOT NULL, \`session_id\` text NOT NULL, \`time_created\` integer NOT NULL,
    \`time_updated\` integer NOT NULL, \`data\` text NOT NULL);
  CREATE TABLE \`session_message\` (
    \`id\` text PRIMARY KEY, \`session_id\` text NOT NULL, \`type\` text NOT NULL, \`seq\` integer NOT NULL,
    \`time_created\` integer NOT NULL, \`time_updated\` integer NOT NULL, \`data\` text NOT NULL);
  CREATE INDEX \`message_session_time_created_id_idx\` ON \`message\` (\`session_id\`,\`time_created\`,\`id\`);
  CREATE INDEX \`part_message_id_id_idx\` ON \`part\` (\`message_id\`,\`id\`);
  CREATE INDEX \`part_session_idx\` ON \`part\` (\`session_id\`);
  CREATE UNIQUE INDEX \`session_message_session_seq_idx\` ON \`session_message\` (\`session_id\`,\`seq\`);
`;

/** Milliseconds since the epoch for seconds after nine o'clock. */
export function at(second: number): number {
  return Date.UTC(2026, 4, 1, 9) + second * 1_000;
}

/** The caller closes it. */
export class HistoryDatabase {
  readonly database: Database;
  #ids = 0;

  constructor(file: string, ...pragmas: readonly string[]) {
    this.database = new sqlite.Database(file);
    for (const pragma of ["synchronous=off", ...pragmas]) this.database.exec(`PRAGMA ${pragma}`);
    this.database.exec(SCHEMA);
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }

  session(id: string, more: Readonly<Record<string, string | number | null>> = {}): void {
    const row = {
      id,
      project_id: "p",
      directory: "/srv/shop",
      title: `About ${id}`,
      version: "1.18.33",
      time_created: at(0),
      time_updated: at(0),
      ...more,
    };
    const names = Object.keys(row);
    const places = names.map(() => "?").join(", ");
    this.database.run(`INSERT INTO session (${names.join(", ")}) VALUES (${places})`, Object.values(row));
  }

  /** @returns its id */
  message(session: string, second: number, info: object, parts: readonly object[] = []): string {
    const id = `msg_${String(++this.#ids).padStart(6, "0")}`;
    const time = { created: at(second), ...("time" in info ? (info.time as object) : {}) };
    const row = [id, session, at(second), at(second), JSON.stringify({ ...info, time })];
    this.database.run("INSERT INTO message VALUES (?, ?, ?, ?, ?)", row);
    for (const part of parts) this.part(session, id, second, part);
    return id;
  }

  part(session: string, message: string, second: number, part: unknown): string {
    const id = `prt_${String(++this.#ids).padStart(6, "0")}`;
    const text = typeof part === "string" ? part : JSON.stringify(part);
    this.database.run("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", [
      id,
      message,
      session,
      at(second),
      at(second),
      text,
    ]);
    return id;
  }

  prompt(session: string, second: number, text: string): string {
    return this.message(session, second, { role: "user" }, [{ type: "text", text }]);
  }

  /** An answer of ten seconds with 100 tokens in and 10 out, which costs a cent. */
  answer(session: string, second: number, parts: readonly object[], more: object = {}): string {
    const tokens = { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } };
    const time = { created: at(second), completed: at(second + 10) };
    const info = {
      role: "assistant",
      finish: "stop",
      modelID: "m",
      providerID: "v",
      cost: 0.01,
      tokens,
      time,
      ...more,
    };
    return this.message(session, second, info, [{ type: "step-start" }, ...parts, { type: "step-finish" }]);
  }

  event(session: string, seq: number, type: string, data: object): void {
    const row = [
      `msg_e${seq}${session}`,
      session,
      type,
      seq,
      at(seq),
      at(seq),
      JSON.stringify({ time: { created: at(seq) }, ...data }),
    ];
    this.database.run("INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)", row);
  }
}

export function text(value: string): object {
  return { type: "text", text: value };
}

export function tool(callID: string, second: number, state: object = {}, more: object = {}): object {
  const time = { start: at(second), end: at(second + 1) };
  return {
    type: "tool",
    tool: "bash",
    callID,
    state: { status: "completed", input: { command: "ls" }, output: "a.txt", time, ...state },
    ...more,
  };
}
