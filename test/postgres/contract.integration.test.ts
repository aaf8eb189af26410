import { onTestFinished } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { createPostgresDataSource, importIntoPostgres } from "../../src/postgres.js";
import { describeInspectorDataSource } from "../contract/index.js";
import { appendSession, temporaryFolder, writeSessions } from "../support/data-directory.js";
import { useDatabase } from "../support/postgres-database.js";

const database = useDatabase();

describeInspectorDataSource(
  "PostgresDataSource",
  async (sessions) => {
    const dataDir = await temporaryFolder();
    await writeSessions(dataDir, sessions);
    const { connectionString } = database;
    await database.empty();
    const directory = createFilesystemInspectorDataSource(dataDir, { threads: false });
    onTestFinished(() => directory.close?.());
    const copy = async () => {
      const { skipped } = await importIntoPostgres(directory, { connectionString });
      if (skipped.length > 0) throw new Error(JSON.stringify(skipped));
    };
    await copy();
    return {
      source: createPostgresDataSource({ connectionString }),
      append: async (session) => {
        await appendSession(dataDir, session);
        await copy();
      },
    };
  },
  {
    skip: {
      warnings: "what cannot be read is not imported",
      revision: "it knows no revision of its list: what is running changes with the clock",
    },
  },
);
