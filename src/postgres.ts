/** `agent-inspector/postgres`: histories in a database, for agents that run on more than one machine. */
export type { PostgresOptions } from "./adapters/postgres/database.js";
export type { PostgresClient, PostgresPool, PostgresStatement } from "./adapters/postgres/driver.js";
export type {
  ImportOptions,
  ImportProgress,
  ImportReport,
  SkippedSession,
} from "./adapters/postgres/import-options.js";
export type { MigrationOptions, MigrationReport } from "./adapters/postgres/migrate.js";
export type { PostgresDataSourceOptions } from "./adapters/postgres/postgres-data-source.js";
export type { PostgresSessionStoreOptions } from "./adapters/postgres/postgres-session-store.js";
export type { SearchIndexReport } from "./adapters/postgres/search-index.js";
export {
  createPostgresDataSource,
  createPostgresSessionStore,
  importIntoPostgres,
  migratePostgres,
} from "./composition/postgres.js";
