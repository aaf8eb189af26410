import { mkdir } from "node:fs/promises";
import path from "node:path";
import sqlite, { type Database } from "node-sqlite3-wasm";
import { askSqlite } from "../test/opencode/support/databases.js";
import { SHARED_DATA } from "../test/support/shared-data.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { written } from "./generate.js";
import { Client, ServerProcess } from "./measure.js";
import { STALL } from "./scenarios.js";
import type { Sizes } from "./sizes.js";

const ORIGINALS = path.join(SHARED_DATA, "opencode/run-1.18.33/opencode.db");

const MINUTE = 60_000;

export async function opencodeDatabase(
  folder: string,
  { databaseSessions, databaseBytes, runs }: Sizes,
): Promise<Figure[]> {
  await mkdir(folder, { recursive: true });
  writeDatabase(path.join(folder, "opencode.db"), databaseSessions, databaseBytes);
  await written();
  const client = new Client();
  const samples = await repeated(runs, async () => {
    const service = await ServerProcess.start("service", "opencode", folder);
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    await service.longestStallMs(true);
    const list = await client.takeOne(`${service.base}/__inspector/sessions?limit=50`);
    const session = `${service.base}/__inspector/sessions/ses_${databaseSessions - 60}`;
    const first = await client.takeOne(`${session}/trace?tenantId=-srv-demo-oc&limit=500`);
    const memory = service.peakMemoryMB - idle;
    const stall = await service.longestStallMs(true);
    await service.stop();
    return { list: list.ms, first: first.ms, memory, stall };
  });
  client.stop();
  const name = `OpenCode's database of ${databaseSessions} sessions and ${Math.round(databaseBytes / 1e6)} MB`;
  return [
    figure(`${name}: list`, "ms", samples.list, within(1_500)),
    figure(`${name}: first window of 500`, "ms", samples.first, within(300)),
    figure(`${name}: memory growth`, "MB", samples.memory, within(96)),
    figure(`${name}: longest stall`, "ms", samples.stall, STALL),
  ];
}

/** Copies are a minute apart; longer tool outputs give the total size. */
function writeDatabase(file: string, sessions: number, bytes: number): void {
  const schema = askSqlite(
    ORIGINALS,
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name IN ('session', 'message', 'part') ORDER BY type DESC",
  );
  const originals = askSqlite(ORIGINALS, "SELECT * FROM session WHERE parent_id IS NULL ORDER BY id").map(
    (session) => ({
      session,
      messages: askSqlite(ORIGINALS, `SELECT * FROM message WHERE session_id = '${session.id}'`),
      parts: askSqlite(ORIGINALS, `SELECT * FROM part WHERE session_id = '${session.id}'`),
    }),
  );
  const database = new sqlite.Database(file);
  database.exec("PRAGMA synchronous=off; PRAGMA foreign_keys=off");
  for (const { sql } of schema) database.exec(sql as string);
  database.exec("BEGIN");
  for (let n = 0; n < sessions; n++) {
    const { session, messages, parts } = originals[n % originals.length]!;
    const later = n * MINUTE - sessions * MINUTE;
    const id = `ses_${n}`;
    const long = "output of a tool ".repeat(bytes / sessions / parts.length / 17);
    insert(database, "session", {
      ...moved(session, later),
      id,
      title: `${session.title} ${n}`,
      parent_id: null,
    });
    for (const one of messages)
      insert(database, "message", { ...moved(one, later), id: `${one.id}${n}`, session_id: id });
    for (const one of parts) {
      const data = (moved(one, later).data as string).replace('"output":"', `"output":"${long}${long}`);
      insert(database, "part", {
        ...moved(one, later),
        id: `${one.id}${n}`,
        message_id: `${one.message_id}${n}`,
        session_id: id,
        data,
      });
    }
  }
  database.exec("COMMIT");
  database.close();
}

function moved(row: Record<string, unknown>, later: number): Record<string, unknown> {
  const values = Object.entries(row).map(([name, value]) => {
    if (name.startsWith("time_") && typeof value === "number") return [name, value + later];
    if (name !== "data") return [name, value];
    return [
      name,
      (value as string).replace(
        /("(?:created|completed|start|end)":)(\d{13})/g,
        (_, key: string, at: string) => key + (Number(at) + later),
      ),
    ];
  });
  return Object.fromEntries(values);
}

function insert(database: Database, table: string, row: Record<string, unknown>): void {
  const names = Object.keys(row);
  const places = names.map(() => "?").join(", ");
  database.run(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`, Object.values(row) as never);
}
