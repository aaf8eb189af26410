import type { Database } from "./database.js";
import { isForbidden } from "./database-errors.js";
import type { Query } from "./lease.js";
import { RECORD_TABLES } from "./stored-records.js";
import { literal } from "./stored-values.js";

/** The tables whose records are searched: what a trace and a conversation are made of. */
export const SEARCHED_TABLES = [RECORD_TABLES.trace, RECORD_TABLES.messages, RECORD_TABLES.orchestration];

/** Records that are longer, in bytes, are always looked at: the server would take several times their size to search them. */
const LONGEST_RECORD = 8 * 1024 * 1024;

/** Whether a record is to be looked at whatever is searched: it is no text, or too long. */
const IS_UNSEARCHED = `raw IS NOT NULL OR bytes > ${LONGEST_RECORD}`;

/** An escaped ASCII letter or digit: nobody has to write one, and hardly anybody does. */
const ESCAPED_LETTER = literal("\\\\u00(3[0-9]|4[1-9A-Fa-f]|5[0-9Aa]|6[1-9A-Fa-f]|7[0-9Aa])");
const SOME_ESCAPE = literal("\\u00");

/** The index text of records that the index cannot find by their own. */
const ODD = "agentinspectoroddrecord";

/**
 * The text of a record that is indexed. ASCII letters and digits stand in it as they are in what the record says, but for their case,
 * which is changed as in the C locale: in others, `I` may become another letter than `i`. Changing the expression makes another index.
 */
const INDEX_TEXT = `CASE
  WHEN ${IS_UNSEARCHED} THEN '${ODD}'
  WHEN strpos(record, ${SOME_ESCAPE}) > 0 AND record ~ ${ESCAPED_LETTER} THEN '${ODD}'
  ELSE lower(record) END`;

/** The condition that the index serves. `like` is a parameter's name: the pattern for records that are not odd. */
export const indexCondition = (like: string) =>
  `((${INDEX_TEXT}) LIKE ${like} OR (${INDEX_TEXT}) LIKE '%${ODD}%')`;

/** The condition that a record may hold a text. `regex` is a parameter's name: of the expression for the text's stored forms. */
export const mayHold = (regex: string) => `CASE WHEN ${IS_UNSEARCHED} THEN true ELSE record ~ ${regex} END`;

/** What became of the index for searching texts. */
export interface SearchIndexReport {
  /** Whether it is there now, and complete. */
  readonly isThere: boolean;
  /** Why it is not; a sentence. */
  readonly reason?: string;
}

/** Names the lock under which the index is made: "inss" in ASCII. */
const LOCK = 0x696e7373;

/**
 * Makes the index for searching texts, while others write. What was begun and broken off is made anew.
 *
 * @returns why it was not made, where the extension cannot be had
 */
export function makeSearchIndex(database: Database): Promise<SearchIndexReport> {
  return database.alone(async (query) => {
    const [lock] = await query("SELECT pg_try_advisory_lock($1::int, hashtext($2)) AS taken", [
      LOCK,
      database.schema,
    ]);
    // Waiting for the lock in a statement would hold up the other's index, which waits for statements.
    if (lock?.taken !== "t") return missing("Another process is making it just now.");
    const reason = await addExtension(query);
    if (reason !== undefined) return missing(reason);
    const [extension] = await query(
      `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
        WHERE extname = 'pg_trgm'`,
    );
    const operators = `${extension!.schema}.gin_trgm_ops`;
    for (const table of SEARCHED_TABLES) await indexTable(query, `${database.schema}.${table}`, operators);
    return { isThere: true };
  });
}

/** Whether the index is there and complete, as a scalar of SQL. */
export function hasSearchIndex(schema: string): string {
  const names = SEARCHED_TABLES.map((table) => `to_regclass('${schema}.${indexName(table)}')`);
  return `(SELECT count(*) = ${names.length} FROM pg_index WHERE indisvalid AND indexrelid IN (${names.join(", ")}))`;
}

function missing(reason: string): SearchIndexReport {
  return { isThere: false, reason };
}

/** @returns why the extension is not there */
async function addExtension(query: Query): Promise<string | undefined> {
  const [found] = await query(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS added,
      EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS available`,
  );
  if (found!.added === "t") return undefined;
  if (found!.available !== "t") {
    return "The server has no extension pg_trgm. Install PostgreSQL's contrib modules on it, and run this again.";
  }
  try {
    await query("CREATE EXTENSION IF NOT EXISTS pg_trgm");
    return undefined;
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return "The role may not create the extension pg_trgm. Let the database's owner run CREATE EXTENSION pg_trgm, and run this again.";
  }
}

function indexName(table: string): string {
  return `search_${table}`;
}

/** @param table its name as SQL; a partitioned one has an index on each partition, and those of later partitions come by themselves */
async function indexTable(query: Query, table: string, operators: string): Promise<string> {
  const [known] = await query(
    `SELECT relkind = 'p' AS parted, format('%I.%I', nspname, left($2 || relname, 63)) AS index, quote_ident(left($2 || relname, 63)) AS name
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = $1::regclass`,
    [table, indexName("")],
  );
  const { index, name } = known as { index: string; name: string };
  const columns = `USING gin ((${INDEX_TEXT}) ${operators})`;
  if (known!.parted !== "t") {
    const broken = "SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid";
    if ((await query(broken, [index])).length > 0) await query(`DROP INDEX CONCURRENTLY ${index}`);
    await query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${table} ${columns}`);
    return index;
  }
  await query(`CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${columns}`);
  const parts = await query(
    `SELECT format('%I.%I', nspname, relname) AS part FROM pg_inherits t JOIN pg_class c ON c.oid = t.inhrelid
      JOIN pg_namespace n ON n.oid = relnamespace WHERE t.inhparent = $1::regclass AND NOT EXISTS (
        SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
          WHERE i.indrelid = c.oid AND a.inhparent = $2::regclass) ORDER BY 1`,
    [table, index],
  );
  for (const { part } of parts) {
    await query(`ALTER INDEX ${index} ATTACH PARTITION ${await indexTable(query, part!, operators)}`);
  }
  return index;
}
