import { AgentAppConfigurationError } from "../../application/errors.js";
import { withMethods } from "../../domain/options/option-kinds.js";

/** The part of `pg.Pool` that is used here: any object that has it can be passed as `pool`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}

/** An option that is a pool: whatever else it has is the driver's. */
export const POSTGRES_POOL = withMethods<PostgresPool>("pool of the driver pg", ["connect"]);

/** The part of `pg.PoolClient` that is used here. */
export interface PostgresClient {
  query(statement: PostgresStatement): Promise<{ readonly rows: readonly unknown[] }>;
  /** @param destroy closes the connection instead of giving it back */
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  /** The driver's own connection. Without it, records are read as rows, which takes more memory. */
  readonly connection?: unknown;
  /** The server process of the connection, if the driver provides it. */
  readonly processID?: number | null;
}

/** The part of `pg.Connection` that a submittable uses. */
export interface PostgresConnection {
  query(text: string): void;
}

export interface PostgresStatement {
  readonly text: string;
  readonly values?: unknown[];
  /** The name under which the server stores the prepared statement for the connection. A name always has the same text. */
  readonly name?: string;
  /** Returns values as the server's text, independent of the parsers that the host has set in the driver. */
  readonly types: { getTypeParser(): (text: string) => string };
}

/** A pool that was opened here, and is closed here. */
export interface OwnedPool extends PostgresPool {
  end(): Promise<void>;
}

/** Maximum time for opening a connection, in milliseconds. */
const CONNECT_MS = 5_000;

/**
 * Opens a pool on `pg`. Loads it only now, so that an application without PostgreSQL need not install it.
 *
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
  // The pool drops an idle connection that broke, and opens another when one is needed: the error concerns no reader.
  pool.on("error", () => {});
  // A server that is killed may accept a connection and end it in one packet, before the pool's user has a listener on it. The
  // error event would end the process; the first statement fails with the same error.
  pool.on("connect", (client) => void client.on("error", () => {}));
  return pool;
}

/** The driver's own error would quote the text, and with it the password. */
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
 * One row of a `SELECT`, as bytes. The driver makes a string of every value of a row, and strings as long as a batch let the
 * heap's young generation grow to its largest; the bytes of a `COPY` it hands over as they are. This is what `pg` calls a
 * submittable: the driver calls its methods.
 */
export class CopyOut {
  readonly text: string;
  /** The columns of the row; a NULL is `undefined`. */
  readonly row: Promise<readonly (Buffer | undefined)[]>;
  #bytes: Buffer;
  #length = 0;
  #resolve: (row: readonly (Buffer | undefined)[]) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /**
   * @param select a statement without parameters, which `COPY` cannot have
   * @param size about how many bytes will come
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

  /** Copies the chunk: the driver uses its buffer again. */
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

/** The signature, the flags, and the length of the extension, which is empty. */
const HEADER_BYTES = 19;

/** The first row of the binary form of `COPY`, as the manual describes it under "File Formats". */
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
