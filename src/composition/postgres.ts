import { openDatabase, type PostgresOptions, withDatabase } from "../adapters/postgres/database.js";
import {
  IMPORT_OPTIONS,
  type ImportOptions,
  type ImportReport,
} from "../adapters/postgres/import-options.js";
import { importSessions } from "../adapters/postgres/import-sessions.js";
import {
  MIGRATION_OPTIONS,
  type MigrationOptions,
  type MigrationReport,
  migrate,
} from "../adapters/postgres/migrate.js";
import {
  POSTGRES_SOURCE_OPTIONS,
  PostgresDataSource,
  type PostgresDataSourceOptions,
} from "../adapters/postgres/postgres-data-source.js";
import {
  POSTGRES_STORE_OPTIONS,
  PostgresSessionStore,
  type PostgresSessionStoreOptions,
} from "../adapters/postgres/postgres-session-store.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import type { SessionStore } from "../application/ports/session-store.js";
import { asDataSource } from "../application/sources/lift.js";

/**
 * Connects with the first read. The schema must exist (`migratePostgres`, or `agent-inspector migrate`).
 * @throws AgentAppConfigurationError if options are invalid or contradict each other
 * @throws RangeError if a number is out of range
 * @example
 * const source = createPostgresDataSource({ connectionString: process.env.DATABASE_URL });
 * const store = createPostgresSessionStore({ connectionString: process.env.DATABASE_URL });
 * const app = createAgentApp({ sessionStore: store, inspector: source });
 */
export function createPostgresDataSource(
  options: PostgresOptions & PostgresDataSourceOptions,
): InspectorDataSource {
  const { database, settings } = openDatabase(options, POSTGRES_SOURCE_OPTIONS);
  return asDataSource(new PostgresDataSource(database, settings));
}

/**
 * Any number of processes can write. Close the store before the process ends.
 * @throws AgentAppConfigurationError and RangeError as `createPostgresDataSource` does
 */
export function createPostgresSessionStore(
  options: PostgresOptions & PostgresSessionStoreOptions,
): SessionStore {
  const { database, settings } = openDatabase(options, POSTGRES_STORE_OPTIONS);
  return new PostgresSessionStore(database, settings);
}

/** Creates or updates the schema, as `agent-inspector migrate` does. Many processes can call it at once. */
export function migratePostgres(options: PostgresOptions & MigrationOptions): Promise<MigrationReport> {
  return withDatabase(options, MIGRATION_OPTIONS, migrate);
}

/** Copies every session of a source, as `agent-inspector PATH --database-url URL --import` does. */
export function importIntoPostgres(
  source: InspectorDataSource,
  options: PostgresOptions & ImportOptions,
): Promise<ImportReport> {
  return withDatabase(options, IMPORT_OPTIONS, (database, settings) =>
    importSessions(source, database, settings),
  );
}
