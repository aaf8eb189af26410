import type { Database } from "./database.js";
import { isForbidden } from "./database-errors.js";
import type { RunQuery } from "./lease.js";
import { RECORD_TABLES } from "./stored-records.js";
import { literal } from "./stored-values.js";

export const SEARCHED_TABLES = [RECORD_TABLES.trace, RECORD_TABLES.messages, RECORD_TABLES.orchestration];

/** In bytes. Longer records are always examined: a search in the server would take several times their size in memory. */
const LONGEST_RECORD = 8 * 1024 * 1024;

const IS_UNSEARCHED = `raw IS NOT NULL OR bytes > ${LONGEST_RECORD}`;

/** An unusual escape: of a printable ASCII character outside `MAY_BE_ESCAPED`. */
const ODD_ESCAPE = literal(
  "\\\\u00(2[013458-9acdeACDE]|3[0-9abfABF]|4[0-9a-fA-F]|5[0-9abdefABDEF]|6[1-9a-fA-F]|7[0-9a-eA-E])",
);

/** The index does not look up these characters, because writers spell them differently. */
export const MAY_BE_ESCAPED = /[^ -~]|["&'+/<=>\\`]/;

/** True if the index text may differ from the record. Such records are rare, and have their own index. */
export const IS_ODD = `CASE WHEN ${IS_UNSEARCHED} THEN true
  WHEN strpos(record, ${literal("\\u00")}) > 0 THEN record ~ ${ODD_ESCAPE} ELSE false END`;

/** Condition for the trigram index. The C locale matters: in others, `I` may not become `i`. */
export const indexCondition = (like: string) => `lower(record) LIKE ${like} AND ${IS_INDEXED}`;

const IS_INDEXED = `bytes <= ${LONGEST_RECORD}`;

export const mayHold = (regex: string) => `CASE WHEN ${IS_UNSEARCHED} THEN true ELSE record ~ ${regex} END`;

export interface SearchIndexReport {
  readonly isThere: boolean;
  readonly reason?: string;
}

/** Key of the advisory lock: "inss" in ASCII. */
const LOCK = 0x696e7373;

/**
 * Creates the index without blocking writers. An interrupted build starts again.
 * @returns the reason if it was not created because the extension is unavailable
 */
export function makeSearchIndex(database: Database): Promise<SearchIndexReport> {
  return database.alone(async (query) => {
    const [lock] = await query("SELECT pg_try_advisory_lock($1::int, hashtext($2)) AS taken", [
      LOCK,
      database.schema,
    ]);
    // A waiting statement would block the other process's build, which waits for statements.
    if (lock?.taken !== "t") return missing("Another process is making it just now.");
    const reason = await addExtension(query);
    if (reason !== undefined) return missing(reason);
    const [extension] = await query(
      `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
        WHERE extname = 'pg_trgm'`,
    );
    for (const [prefix, definition] of definitions(`${extension!.schema}.gin_trgm_ops`)) {
      for (const table of SEARCHED_TABLES)
        await indexTable(query, `${database.schema}.${table}`, prefix, definition);
    }
    return { isThere: true };
  });
}

export function hasSearchIndex(schema: string): string {
  const names = [TEXTS, ODD_RECORDS].flatMap((prefix) =>
    SEARCHED_TABLES.map((table) => `to_regclass('${schema}.${prefix}${table}')`),
  );
  return `(SELECT count(*) = ${names.length} FROM pg_index WHERE indisvalid AND indexrelid IN (${names.join(", ")}))`;
}

function missing(reason: string): SearchIndexReport {
  return { isThere: false, reason };
}

async function addExtension(query: RunQuery): Promise<string | undefined> {
  const [indexRow] = await query(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS added,
      EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS available`,
  );
  if (indexRow!.added === "t") return undefined;
  if (indexRow!.available !== "t") {
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

const TEXTS = "search_";
const ODD_RECORDS = "search_odd_";

function definitions(trigrams: string): readonly (readonly [prefix: string, definition: string])[] {
  return [
    [TEXTS, `USING gin (lower(record) ${trigrams}) WHERE ${IS_INDEXED}`],
    [ODD_RECORDS, `(tenant_id, session_id) WHERE ${IS_ODD}`],
  ];
}

/**
 * @param table SQL name. Each local partition has an index, and later partitions get theirs by themselves; a foreign partition needs its
 *   own
 */
async function indexTable(
  query: RunQuery,
  table: string,
  prefix: string,
  definition: string,
): Promise<string> {
  const [stateRow] = await query(
    `SELECT relkind = 'p' AS parted, format('%I.%I', nspname, left($2 || relname, 63)) AS index, quote_ident(left($2 || relname, 63)) AS name
      FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = $1::regclass`,
    [table, prefix],
  );
  const { index, name } = stateRow as { index: string; name: string };
  const isBroken = async () =>
    (await query("SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid", [index]))
      .length > 0;
  if (stateRow!.parted !== "t") {
    if (await isBroken()) await query(`DROP INDEX CONCURRENTLY ${index}`);
    await query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${table} ${definition}`);
    return index;
  }
  const parts = await query(
    `SELECT format('%I.%I', nspname, relname) AS part, relkind = 'f' AS elsewhere, NOT EXISTS (
        SELECT FROM pg_index i JOIN pg_inherits a ON a.inhrelid = i.indexrelid
          WHERE i.indrelid = c.oid AND a.inhparent = to_regclass($2)) AS lacks
      FROM pg_inherits t JOIN pg_class c ON c.oid = t.inhrelid
      JOIN pg_namespace n ON n.oid = relnamespace WHERE t.inhparent = $1::regclass ORDER BY 1`,
    [table, index],
  );
  const own = parts.filter((part) => part.elsewhere === "f");
  if (own.length === parts.length) {
    await query(`CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${definition}`);
  }
  for (const { part, lacks } of own) {
    if (lacks === "f") continue;
    const attached = await indexTable(query, part!, prefix, definition);
    if (own.length === parts.length) await query(`ALTER INDEX ${index} ATTACH PARTITION ${attached}`);
  }
  if (own.length < parts.length) {
    // The index of the entire table uses the existing parts. Attached one by one, they would leave it invalid until the last.
    if (await isBroken()) await query(`DROP INDEX ${index}`);
    await query(`CREATE INDEX IF NOT EXISTS ${name} ON ${table} ${definition}`);
  }
  return index;
}
