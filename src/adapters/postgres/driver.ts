import { AgentAppConfigurationError } from "../../application/errors.js";
import { withMethods } from "../../domain/options/option-kinds.js";

/** Subset of `pg.Pool`: any object with it is valid as `pool`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

export const POSTGRES_POOL = withMethods<PostgresPool>("pool of the driver pg", ["connect"]);

export interface PostgresClient {
  query(statement: PostgresStatement): Promise<{ readonly rows: readonly unknown[] }>;
  /** @param destroy true to close the connection instead */
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  /** The driver's own connection. Without it, records are read as rows, which takes more memory. */
  readonly connection?: unknown;
  readonly processID?: number | null;
}

export interface PostgresConnection {
  query(text: string): void;
}

export interface PostgresStatement {
  readonly text: string;
  readonly values?: unknown[];
  readonly name?: string;
  /** Returns the server's text, independent of the parsers that the host has set in the driver. */
  readonly types: { getTypeParser(): (text: string) => string };
}

export interface OwnedPool extends PostgresPool {
  end(): Promise<void>;
}

const CONNECT_MS = 5_000;

/**
 * Loads `pg` only here, so that an application without PostgreSQL need not install it.
 * @throws AgentAppConfigurationError if the driver is not installed or the connection string is invalid
 */
export async function openConnectionPool(
  connectionString: string,
  maxConnections: number,
): Promise<OwnedPool> {
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
  pool.on("error", () => {});
  // A server may accept a connection and end it at once, before the user's listener exists: the event would end the process. The first
  // statement fails with the same error.
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

/** The driver's own error would quote the password. */
function checkConnectionString(connectionString: string): void {
  if (/^postgres(ql)?:\/\//.test(connectionString) && URL.canParse(connectionString)) return;
  throw new AgentAppConfigurationError(
    "The connection string is no PostgreSQL URL. It has the form postgres://user:password@host:5432/database.",
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

/**
 * One row of a `SELECT` as bytes, through `COPY`. The driver makes strings of row values, and long ones grow the heap's young generation
 * to its maximum. `pg` calls the methods, as of a submittable.
 */
export class CopyOut {
  readonly text: string;
  /** A NULL is `undefined`. */
  readonly row: Promise<readonly (Buffer | undefined)[]>;
  #bytes: Buffer;
  #length = 0;
  #resolve: (row: readonly (Buffer | undefined)[]) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /**
   * @param select without parameters, which `COPY` does not support
   * @param size approximate number of bytes
   */
  constructor(select: string, size: number) {
    this.text = `COPY (${select}) TO STDOUT (FORMAT binary)`;
    this.#bytes = Buffer.allocUnsafe(size);
    this.row = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: PostgresConnection): void {
    connection.query(this.text);
  }

  /** The driver reuses the buffer of a chunk. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(length * 2);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve(columnsOf(this.#bytes.subarray(0, this.#length)));
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }
}

const HEADER_BYTES = 19;

/** See "File Formats" of `COPY` in the PostgreSQL manual. */
function columnsOf(bytes: Buffer): (Buffer | undefined)[] {
  let at = HEADER_BYTES;
  const count = bytes.readInt16BE(at);
  at += 2;
  const columns: (Buffer | undefined)[] = [];
  for (let i = 0; i < count; i++) {
    const length = bytes.readInt32BE(at);
    at += 4;
    columns.push(length === -1 ? undefined : bytes.subarray(at, at + Math.max(0, length)));
    at += Math.max(0, length);
  }
  return columns;
}
