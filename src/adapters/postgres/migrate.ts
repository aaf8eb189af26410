import { SourceRefusedError } from "../../application/errors.js";
import type { OptionTable } from "../../domain/options/check-options.js";
import { BOOLEAN } from "../../domain/options/option-kinds.js";
import type { Database } from "./database.js";
import type { RunQuery } from "./lease.js";
import { LATEST_VERSION, MIGRATIONS } from "./schema.js";
import { makeSearchIndex, type SearchIndexReport } from "./search-index.js";

export interface MigrationReport {
  /** 0 without an earlier schema. */
  readonly from: number;
  readonly to: number;
  readonly searchIndex?: SearchIndexReport;
}

export interface MigrationOptions {
  /**
   * Creates the index for text search, which needs the extension `pg_trgm`. It takes about as much room as the records, and makes writing
   * them several times as expensive. Default is `false`.
   */
  readonly searchIndex?: boolean | undefined;
}

export const MIGRATION_OPTIONS = { searchIndex: BOOLEAN } satisfies OptionTable<MigrationOptions>;

/** Key of the advisory lock: "insp" in ASCII. */
const LOCK = 0x696e7370;

/**
 * Updates the schema in one transaction; other processes wait for its lock. The index comes afterwards: a schema without it is complete.
 */
export async function migrate(
  database: Database,
  { searchIndex = false }: MigrationOptions = {},
): Promise<MigrationReport> {
  const report = await migrateTables(database);
  return searchIndex ? { ...report, searchIndex: await makeSearchIndex(database) } : report;
}

function migrateTables(database: Database): Promise<MigrationReport> {
  const { schema } = database;
  return database.inTransaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock($1::int, hashtext($2))", [LOCK, schema]);
    await checkEncoding(query);
    await createMigrationsTable(query, schema);
    const [row] = await query(`SELECT coalesce(max(version), 0) AS version FROM ${schema}.migrations`);
    const from = Number(row?.version);
    await query(`SET LOCAL search_path TO ${schema}`);
    for (const { version, name, oldestUser, sql } of MIGRATIONS) {
      if (version <= from) continue;
      await query(sql);
      await query("INSERT INTO migrations (version, name, oldest_user) VALUES ($1, $2, $3)", [
        version,
        name,
        oldestUser,
      ]);
    }
    return { from, to: Math.max(from, LATEST_VERSION) };
  });
}

async function checkEncoding(query: RunQuery): Promise<void> {
  const [row] = await query("SHOW server_encoding");
  if (row?.server_encoding === "UTF8") return;
  throw new SourceRefusedError(
    `The database's encoding is ${row?.server_encoding}; records need UTF8. Create the database with ENCODING 'UTF8'.`,
  );
}

async function createMigrationsTable(query: RunQuery, schema: string): Promise<void> {
  const [schemaRow] = await query("SELECT to_regnamespace($1) IS NOT NULL AS found", [schema]);
  if (schemaRow?.found !== "t") await query(`CREATE SCHEMA ${schema}`);
  await query(`CREATE TABLE IF NOT EXISTS ${schema}.migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    oldest_user integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);
}
