import { afterAll, beforeAll } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { createPostgresDataSource, importIntoPostgres, migratePostgres } from "../../src/postgres.js";
import { describeInspectorDataSource } from "../contract/index.js";
import { temporaryFolder, writeSessions } from "../support/data-directory.js";
import { startServer, type TestServer } from "../support/postgres-server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describeInspectorDataSource("PostgresDataSource", async (sessions) => {
  const dataDir = await temporaryFolder();
  await writeSessions(dataDir, sessions);
  const connectionString = await server.createDatabase();
  await migratePostgres({ connectionString });
  const { skipped } = await importIntoPostgres(createFilesystemInspectorDataSource(dataDir), {
    connectionString,
  });
  if (skipped.length > 0) throw new Error(JSON.stringify(skipped));
  return createPostgresDataSource({ connectionString });
});
