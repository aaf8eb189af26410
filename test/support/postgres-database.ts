import { afterAll, beforeAll, beforeEach } from "vitest";
import { startServer, type TestServer } from "./postgres-server.js";

export interface TestDatabase {
  readonly connectionString: string;
  run(sql: string): Promise<Record<string, unknown>[]>;
  empty(): Promise<void>;
}

export const TABLES = [
  "sessions",
  "trace_envelopes",
  "orchestration_events",
  "messages",
  "session_log",
  "orchestration_checkpoints",
] as const;

export function useDatabase(): TestDatabase {
  let server: TestServer;
  let connectionString = "";
  const run = (sql: string) => server.run(sql, connectionString);
  const empty = async () => {
    await run(`TRUNCATE ${TABLES.map((table) => `agent_inspector.${table}`).join(", ")}`);
  };
  beforeAll(async () => {
    server = await startServer();
    connectionString = await server.createMigratedDatabase();
  });
  beforeEach(empty);
  afterAll(() => server.stop());
  return {
    get connectionString() {
      return connectionString;
    },
    run,
    empty,
  };
}
