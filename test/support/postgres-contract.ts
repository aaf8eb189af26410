import { onTestFinished } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import {
  createPostgresDataSource,
  createPostgresSessionStore,
  importIntoPostgres,
} from "../../src/postgres.js";
import { describeInspectorDataSource, describeSessionStore } from "../contract/index.js";
import { appendSession, temporaryFolder, writeSessions } from "./data-directory.js";
import type { TestDatabase } from "./postgres-database.js";

export type ContractDatabase = Pick<TestDatabase, "connectionString" | "empty"> & {
  /** Default is `connectionString`. */
  readonly readFrom?: string;
};

export function describePostgresContract(of: string, database: ContractDatabase): void {
  const openSource = () =>
    createPostgresDataSource({ connectionString: database.readFrom ?? database.connectionString });

  describeInspectorDataSource(
    `PostgresDataSource${of}`,
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
        source: openSource(),
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

  describeSessionStore(`PostgresSessionStore${of}`, () => ({
    store: createPostgresSessionStore({ connectionString: database.connectionString }),
    source: openSource(),
  }));
}
