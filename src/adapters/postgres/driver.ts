import { AgentAppConfigurationError } from "../../application/errors.js";

/** The part of `pg.Pool` that is used here: whatever has it can be passed as `pool`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/** The part of `pg.PoolClient` that is used here. */
export interface PostgresClient {
  query(statement: PostgresStatement): Promise<{ readonly rows: readonly unknown[] }>;
  /** @param destroy closes the connection instead of giving it back */
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  /** The driver's own connection. Where there is none, records are read as rows, which takes more memory. */
  readonly connection?: unknown;
  /** The server process behind the connection, where the driver knows it. */
  readonly processID?: number | null;
}

/** The part of `pg.Connection` that a submittable uses. */
export interface PostgresConnection {
  query(text: string): void;
}

export interface PostgresStatement {
  readonly text: string;
  readonly values?: unknown[];
  /** By which the server keeps the statement for the connection, read and ready; the same name is always the same text. */
  readonly name?: string;
  /** Values come as the server's text: a host that changed the driver's parsers does not change what is read here. */
  readonly types: { getTypeParser(): (text: string) => string };
}

/** A pool that was opened here, and is closed here. */
export interface OwnedPool extends PostgresPool {
  end(): Promise<void>;
}

/** How long a connection may take to be opened. */
const CONNECT_MS = 5_000;

/**
 * Opens a pool on `pg`, which is loaded here and not before: who does not use PostgreSQL does not install it.
 *
 * @throws AgentAppConfigurationError where the driver is not installed or the connection string is none
 */
export async function openPool(connectionString: string, maxConnections: number): Promise<OwnedPool> {
  checkConnectionString(connectionString);
  const { Pool } = await loadDriver();
  const pool = new Pool({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "agent-inspector",
    allowExitOnIdle: true,
    keepAlive: true,
  });
  // The pool drops an idle connection that broke, and opens another when one is needed: nobody waits for this one.
  pool.on("error", () => {});
  // A server that is killed may greet and take its leave in one packet, before the one who asked for the connection has it and
  // listens. The error event would end the process; the first statement says the same.
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

/** The driver's own complaint would quote the text, and with it the password. */
function checkConnectionString(connectionString: string): void {
  if (/^postgres(ql)?:\/\//.test(connectionString) && URL.canParse(connectionString)) return;
  throw new AgentAppConfigurationError(
    "The connection string is no PostgreSQL URL. It looks like postgres://user:password@host:5432/database.",
  );
}

async function loadDriver(): Promise<Pick<typeof import("pg"), "Pool">> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new AgentAppConfigurationError("PostgreSQL needs its driver. Install it: npm install pg", {
      cause: error,
    });
  }
}
