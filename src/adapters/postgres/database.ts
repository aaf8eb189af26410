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

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`. `PGPASSWORD` or a password file can provide the password. */
  readonly connectionString?: string | undefined;
  /** The host's own pool of the driver `pg`. It is never closed here. */
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

/** @throws AgentAppConfigurationError for an option that is unsupported or has a wrong value */
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

const MOST_PREPARED = 64;

export class Database {
  readonly schema: string;
  /** For a host's pool the driver's default, because its limit is hidden. */
  readonly mostConnections: number;
  readonly #options: PostgresOptions;
  readonly #timeoutMs: number;
  #owned: Promise<OwnedPool> | undefined;
  #checked: Promise<void> | undefined;
  /** Names of prepared statements by text; `undefined` if a pooler loses them. */
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

  async query(
    text: string,
    values: readonly unknown[] = [],
    options: ReadOptions = {},
  ): Promise<readonly Row[]> {
    await this.#ready();
    return this.#withClient(options, (lease) => lease.query(text, values));
  }

  /** Plans the statement once per connection. If a pooler changes connections, it is sent in full from then on. */
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
   * Runs `work` in one transaction, and rolls it back if it fails.
   * @throws SourceUnavailableError if the connection is lost; a commit may have succeeded
   */
  async transaction<T>(work: (query: RunQuery) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    await this.#ready();
    return this.inTransaction(work, options);
  }

  inTransaction<T>(work: (query: RunQuery) => Promise<T>, options: ReadOptions = {}): Promise<T> {
    return this.#withClient(options, async (lease) => {
      await lease.query("BEGIN ISOLATION LEVEL READ COMMITTED");
      try {
        const result = await work((text, values) => lease.query(text, values));
        await lease.query("COMMIT");
        return result;
      } catch (error) {
        // Closing the connection also rolls back, and a broken connection takes no ROLLBACK.
        if (losesConnection(error) || options.signal?.aborted) lease.fail();
        else await lease.query("ROLLBACK");
        throw error;
      }
    });
  }

  /**
   * Runs a transaction with a time limit for its statements, without JIT, which costs more than it saves.
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

  /** Runs statements outside of a transaction, without a time limit, on a connection that is closed afterwards. */
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

  async *cursor(
    text: string,
    values: readonly unknown[],
    size: number,
    options: ReadOptions = {},
  ): AsyncGenerator<readonly Row[], void> {
    await this.#ready();
    const lease = await this.#lease(options);
    lease.fail();
    try {
      await lease.query("BEGIN READ ONLY");
      await lease.query(`DECLARE found NO SCROLL CURSOR FOR ${text}`, values);
      const fetch = () => lease.query(`FETCH ${size} FROM found`);
      for (let next = fetch(); ; ) {
        const rows = await next;
        const isLast = rows.length < size;
        if (!isLast) {
          // The server continues while the reader processes these rows. Its failure is handled on `next`, if the reader stays.
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

  async close(): Promise<void> {
    const owned = this.#owned;
    this.#owned = undefined;
    const pool = await owned?.catch(() => undefined);
    await pool?.end();
  }

  /**
   * Returns the columns of the only row as bytes; `undefined` if the driver cannot.
   * @param size approximate number of bytes
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

  /** Only the first texts get names: each prepared statement takes server memory per connection. */
  #nameOf(text: string): string | undefined {
    const names = this.#names;
    if (names !== undefined && !names.has(text) && names.size < MOST_PREPARED) {
      const digest = createHash("sha256").update(text).digest("hex");
      names.set(text, `agent_inspector_${digest.slice(0, 32)}`);
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

  #ready(): Promise<void> {
    this.#checked ??= this.#withClient({}, (lease) =>
      checkSchema((text) => lease.query(text), this.schema),
    ).catch((error) => {
      this.#checked = undefined;
      throw error;
    });
    return this.#checked;
  }

  /** Cancels only this statement, because the server process may run another by now. */
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
