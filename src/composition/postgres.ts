import { Database, type PostgresOptions } from "../adapters/postgres/database.js";
import {
  type ImportOptions,
  type ImportReport,
  importSessions,
} from "../adapters/postgres/import-sessions.js";
import { type MigrationOptions, type MigrationReport, migrate } from "../adapters/postgres/migrate.js";
import {
  PostgresDataSource,
  type PostgresDataSourceOptions,
} from "../adapters/postgres/postgres-data-source.js";
import {
  PostgresSessionStore,
  type PostgresSessionStoreOptions,
} from "../adapters/postgres/postgres-session-store.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import type { SessionStore } from "../application/ports/session-store.js";

/**
 * Reads histories from PostgreSQL. Nothing is connected to before the first read; the schema has to be there (`migratePostgres`,
 * or `agent-inspector migrate`).
 *
 * @throws AgentAppConfigurationError where the options contradict each other
 *
 * @example
 * const source = createPostgresDataSource({ connectionString: process.env.DATABASE_URL });
 * const store = createPostgresSessionStore({ connectionString: process.env.DATABASE_URL });
 * const app = createAgentApp({ sessionStore: store, inspector: source });
 */
export function createPostgresDataSource(
  options: PostgresOptions & PostgresDataSourceOptions,
): InspectorDataSource {
  return new PostgresDataSource(new Database(options), options);
}

/**
 * Writes histories to PostgreSQL, from any number of processes. Close it before the process ends.
 *
 * @throws AgentAppConfigurationError where the options contradict each other
 */
export function createPostgresSessionStore(
  options: PostgresOptions & PostgresSessionStoreOptions,
): SessionStore {
  return new PostgresSessionStore(new Database(options), options);
}

/** Creates the schema, or brings it up to date: what `agent-inspector migrate` does. Safe to call from many processes at once. */
export function migratePostgres(options: PostgresOptions & MigrationOptions): Promise<MigrationReport> {
  return withDatabase(options, (database) => migrate(database, options));
}

/** Copies every session of a source into the database: what `agent-inspector PATH --database-url URL --import` does. */
export function importIntoPostgres(
  source: InspectorDataSource,
  options: PostgresOptions & ImportOptions,
): Promise<ImportReport> {
  return withDatabase(options, (database) => importSessions(source, database, options));
}

async function withDatabase<T>(
  options: PostgresOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = new Database(options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
