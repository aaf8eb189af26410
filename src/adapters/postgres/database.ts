import { createHash } from "node:crypto";
import { AgentAppConfigurationError } from "../../application/errors.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { integerFrom, kindOf, MAX_TIMEOUT_MS, TEXT, TIMEOUT_MS } from "../../domain/options/option-kinds.js";
import {
  explained,
  explainedConnecting,
  isOutOfTime,
  isSchemaError,
  isStatementLost,
  losesConnection,
} from "./database-errors.js";
import {
  CopyOut,
  type OwnedPool,
  openConnectionPool,
  POSTGRES_POOL,
  type PostgresClient,
  type PostgresPool,
} from "./driver.js";
import { Lease, type Row, type RunQuery } from "./lease.js";
import { checkSchema } from "./schema.js";

/** Access to the database: exactly one of `connectionString` and `pool`. */
export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. A password may be left to `PGPASSWORD` or a password file. */
  readonly connectionString?: string | undefined;
  /** The host's own pool, of the driver `pg`. It is used, and not closed. */
  readonly pool?: PostgresPool | undefined;
  /** The schema that holds the tables. Default is `agent_inspector`. */
  readonly schema?: string | undefined;
  /** Time after which a statement is cancelled, in milliseconds. From 1 to 2147483647. Default is 30 seconds. */
  readonly statementTimeoutMs?: number | undefined;
  /** Maximum number of open connections, unless the host provides the pool. Default is 10. */
  readonly maxConnections?: number | undefined;
}

const POSTGRES_OPTIONS = {
  connectionString: kindOf("a PostgreSQL URL", (value) => typeof value === "string" && value !== ""),
  pool: POSTGRES_POOL,
  schema: TEXT,
  statementTimeoutMs: TIMEOUT_MS,
  maxConnections: integerFrom(1, "a number of connections"),
} satisfies OptionTable<PostgresOptions>;

/**
 * @param table the options that are not the database's
 * @returns the database, and a copy of the options
 * @throws AgentAppConfigurationError for an option that there is not, or whose value is of another kind
 */
export function openDatabase<Options extends PostgresOptions>(
  options: Options,
  table: OptionTable,
): { readonly database: Database; readonly settings: Options } {
  const settings = checkOptions({ ...POSTGRES_OPTIONS, ...table }, options, AgentAppConfigurationError);
  return { database: new Database(settings), settings };
}

export async function withDatabase<Options extends PostgresOptions, T>(
  options: Options,
  table: OptionTable,
  work: (database: Database, settings: Options) => Promise<T>,
): Promise<T> {
  const { database, settings } = openDatabase(options, table);
  try {
    return await work(database, settings);
  } finally {
    await database.close();
  }
}

/** Maximum number of prepared statements per connection. */
const MOST_PREPARED = 64;

/** A database with the tables of this package, reached through a pool. */
export class Database {
  /** The schema's name as SQL. */
  readonly schema: string;
  /** Maximum number of open connections. The limit of a host's pool is unknown; this is then the driver's default. */
  readonly mostConnections: number;
  readonly #options: PostgresOptions;
  readonly #timeoutMs: number;
  #owned: Promise<OwnedPool> | undefined;
  #checked: Promise<void> | undefined;
  /** The names of prepared statements, by their texts; none where something between here and the server loses them. */
  #names: Map<string, string> | undefined = new Map();

  constructor(options: PostgresOptions) {
    const { connectionString, pool, schema = "agent_inspector" } = options;
    if ((connectionString === undefined) === (pool === undefined)) {
      throw new AgentAppConfigurationError("Pass either `connectionString` or `pool`.");
    }
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
      throw new AgentAppConfigurationError(
        "`schema` must be a name of small letters, digits and underscores.",
      );
    }
    this.schema = schema;
    this.mostConnections = options.maxConnections ?? 10;
    this.#options = options;
    this.#timeoutMs = options.statementTimeoutMs ?? 30_000;
  }

  /** Runs one statement, after the schema was checked. */
  async query(
    text: string,
    values: readonly unknown[] = [],
    options: ReadOptions = {},
  ): Promise<readonly Row[]> {
    await this.#ready();
    return this.#withClient(options, (lease) => lease.query(text, values));
  }

  /** The same for a statement that is run often: it is planned once for each connection. Where a pooler changes connections, it is sent in full from then on. */
  async queryPrepared(
    text: string,
    values: readonly unknown[],
    options: ReadOptions = {},
  ): Promise<readonly Row[]> {
    const name = this.#nameOf(text);
    if (name === undefined) return this.query(text, values, options);
    await this.#ready();
    try {
      return await this.#withClient(options, (lease) => lease.query(text, values, name));
    } catch (error) {
      if (!isStatementLost(error)) throw error;
      this.#names = undefined;
      return this.query(text, values, options);
    }
  }

  /**
   * Runs `work` in one transaction, which is undone where it fails.
   *
   * @throws SourceUnavailableError where the connection is lost; a transaction that was being committed may have been
   */
  async transaction<T>(work: (query: RunQuery) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    await this.#ready();
    return this.inTransaction(work, options);
  }

  /** The same without a check of the schema: for the migration, which makes it. */
  inTransaction<T>(work: (query: RunQuery) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    return this.#withClient(options, async (lease) => {
      await lease.query("BEGIN ISOLATION LEVEL READ COMMITTED");
      try {
        const result = await work((text, values) => lease.query(text, values));
        await lease.query("COMMIT");
        return result;
      } catch (error) {
        // Closing the connection undoes the transaction too, and a broken connection takes no ROLLBACK.
        if (losesConnection(error) || options.signal?.aborted) lease.fail();
        else await lease.query("ROLLBACK");
        throw error;
      }
    });
  }

  /**
   * Runs a transaction whose statements are cancelled after this time. Compiling them would take longer than it saves.
   *
   * @param without a kind of plan that must not be used
   * @returns `undefined` if a statement took longer
   */
  async briefly<T>(
    ms: number,
    without: "enable_seqscan" | "enable_bitmapscan",
    work: (query: RunQuery) => Promise<T>,
    options?: ReadOptions,
  ): Promise<T | undefined> {
    const off = ["jit", without].map((setting) => `set_config('${setting}', 'off', true)`).join(", ");
    try {
      return await this.transaction(async (query) => {
        await query(`SELECT set_config('statement_timeout', $1, true), ${off}`, [Math.max(1, Math.ceil(ms))]);
        return work(query);
      }, options);
    } catch (error) {
      if (isOutOfTime(error)) return undefined;
      throw error;
    }
  }

  /** Statements outside of a transaction, which take as long as they take, on a connection that is closed afterwards. */
  async alone<T>(work: (query: RunQuery) => Promise<T>): Promise<T> {
    const lease = new Lease(await this.#connect(), MAX_TIMEOUT_MS, undefined, async () => {});
    lease.fail();
    try {
      await lease.query("SET statement_timeout = 0");
      return await work((text, values) => lease.query(text, values));
    } catch (error) {
      throw this.#explain(error);
    } finally {
      lease.end();
    }
  }

  /** The rows of one statement, some at a time, as they were when it began. */
  async *cursor(
    text: string,
    values: readonly unknown[],
    size: number,
    options: ReadOptions = {},
  ): AsyncGenerator<readonly Row[], void> {
    await this.#ready();
    const lease = await this.#lease(options);
    // A reader that stops early leaves a transaction open. So the connection is closed, not returned.
    lease.fail();
    try {
      await lease.query("BEGIN READ ONLY");
      await lease.query(`DECLARE found NO SCROLL CURSOR FOR ${text}`, values);
      const fetch = () => lease.query(`FETCH ${size} FROM found`);
      for (let next = fetch(); ; ) {
        const rows = await next;
        const isLast = rows.length < size;
        if (!isLast) {
          // The server continues while these rows are processed. If the reader leaves then, the connection is closed, and no caller waits
          // for it.
          next = fetch();
          next.catch(() => {});
        }
        if (rows.length > 0) yield rows;
        if (isLast) break;
      }
      await lease.query("COMMIT");
      lease.recover();
    } catch (error) {
      throw this.#explain(error);
    } finally {
      lease.end();
    }
  }

  /** Closes what was opened here. */
  async close(): Promise<void> {
    const owned = this.#owned;
    this.#owned = undefined;
    // A pool that could not be opened was reported to its first user, and there is nothing to close.
    const pool = await owned?.catch(() => undefined);
    await pool?.end();
  }

  /**
   * The columns of the one row of a statement, as bytes; `undefined` where the driver cannot give them.
   *
   * @param size about how many bytes will come
   */
  async copyRow(
    select: string,
    size: number,
    options: ReadOptions = {},
  ): Promise<readonly (Buffer | undefined)[] | undefined> {
    await this.#ready();
    return this.#withClient(options, async (lease) =>
      lease.canCopy ? lease.copy(new CopyOut(select, size)) : undefined,
    );
  }

  /** Only the first few texts get names: each prepared statement takes the server memory for each connection. */
  #nameOf(text: string): string | undefined {
    const names = this.#names;
    if (names !== undefined && !names.has(text) && names.size < MOST_PREPARED) {
      const digest = createHash("sha256").update(text).digest("hex");
      names.set(text, `agent_inspector_${digest.slice(0, 32)}`); // no statement of the host's has that prefix
    }
    return names?.get(text);
  }

  async #withClient<T>(options: ReadOptions, work: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = await this.#lease(options);
    try {
      return await work(lease);
    } catch (error) {
      if (losesConnection(error)) lease.fail();
      throw this.#explain(error);
    } finally {
      lease.end();
    }
  }

  async #lease({ signal }: ReadOptions): Promise<Lease> {
    signal?.throwIfAborted();
    const client = await this.#connect();
    return new Lease(client, this.#timeoutMs, signal, (pid, statement) => this.#cancel(pid, statement));
  }

  async #connect(): Promise<PostgresClient> {
    try {
      return await (await this.#pool()).connect();
    } catch (error) {
      throw explainedConnecting(error);
    }
  }

  #pool(): Promise<PostgresPool> | PostgresPool {
    const { pool, connectionString = "" } = this.#options;
    if (pool !== undefined) return pool;
    this.#owned ??= openConnectionPool(connectionString, this.mostConnections);
    return this.#owned;
  }

  /** Checks the schema once; where it was missing or old, the next call checks it again. */
  #ready(): Promise<void> {
    this.#checked ??= this.#withClient({}, (lease) =>
      checkSchema((text) => lease.query(text), this.schema),
    ).catch((error) => {
      this.#checked = undefined;
      throw error;
    });
    return this.#checked;
  }

  /** Ends a statement that nobody waits for; only while it runs this very one, because the server process may have another by now. */
  async #cancel(pid: number, statement: string): Promise<void> {
    const text = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE pid = $1 AND state = 'active' AND query <> '' AND starts_with($2, query)`;
    await this.#withClient({}, (lease) => lease.query(text, [pid, statement]));
  }

  #explain(error: unknown): unknown {
    if (isSchemaError(error)) this.#checked = undefined;
    return explained(error);
  }
}
