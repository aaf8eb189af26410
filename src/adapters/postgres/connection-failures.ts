/** The code has no host, user or password; the message may. */
export interface CodedError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly severity?: unknown;
}

/**
 * Remedy for a failure:
 * - `again`: temporary. A store tries again for `retryForMs`, on another connection.
 * - `undone`: temporary, and the server has only rolled back the transaction: the connection stays.
 * - `repair`: a person must act. A store or an import rejects at once; a recorder with `onError` reports it, and tries again every few
 *   seconds.
 */
type Remedy = "again" | "undone" | "repair";

/**
 * A failure that no record caused, with a text for the operator that has no secrets. Other failures are not tried again, and a recorder
 * loses that record.
 */
interface DatabaseFailure {
  readonly codes?: RegExp;
  /** Messages of the driver, which have no code, and of PgBouncer, which have one code for all. */
  readonly messages?: RegExp;
  readonly isServers?: boolean;
  readonly remedy: Remedy;
  readonly text: string;
}

/** PgBouncer uses "protocol violation" for all its errors. */
const POOLER_CODE = "08P01";

export const MIGRATE = "Run: agent-inspector migrate --database-url URL";

const FAILURES: readonly DatabaseFailure[] = [
  {
    codes: /^28P01$/,
    messages: /client password must be|^SASL authentication failed|^no such user/,
    remedy: "repair",
    text: "The database refuses the login: it has no such role, or the password is wrong. Check both in the connection string, PGPASSWORD or the password file.",
  },
  {
    codes: /^28/,
    remedy: "repair",
    text: "The database refuses the login: it has no such role, or does not let it in from here. Check the role (CREATE ROLE … LOGIN), and pg_hba.conf on the server.",
  },
  {
    codes: /^(3D000|57P04)$/,
    messages: /^no such database/,
    remedy: "repair",
    text: "The server has no such database. Check the name in the connection string, or make it: CREATE DATABASE … ENCODING 'UTF8'.",
  },
  {
    codes: /^(42P01|3F000|42703)$/,
    remedy: "repair",
    text: `The database has no agent-inspector schema. ${MIGRATE}`,
  },
  {
    codes: /^42501$/,
    remedy: "repair",
    text:
      "The role lacks a privilege in the database. A reader needs USAGE on the schema and SELECT on its tables, a writer INSERT and UPDATE, too, an import DELETE, " +
      "and a migration CREATE. Let the owner run: GRANT … TO ….",
  },
  {
    codes: /^(40001|40P01|55P03)$/,
    remedy: "undone",
    text: "The database has undone the transaction, because another one changed the same rows. Try again.",
  },
  {
    codes: /^(ECONNREFUSED|ENOENT|EACCES)$/,
    remedy: "again",
    text: "Nothing listens at the database's address. Check the host and the port in the connection string, and whether the server runs.",
  },
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    remedy: "again",
    text: "The database's host name cannot be looked up. Check it in the connection string, and the name servers.",
  },
  {
    codes: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    messages: /^(timeout expired|Connection terminated due to connection timeout)/,
    remedy: "again",
    text: "The database's host does not answer. Check the host and the port in the connection string, and the firewalls on the way.",
  },
  {
    messages: /^timeout exceeded when trying to connect/,
    remedy: "again",
    text: "There was no connection to the database in time: its host does not answer, or all connections are in use. Check the network, and `maxConnections`.",
  },
  {
    messages: /^(The server does not support SSL|There was an error establishing an SSL)/,
    remedy: "repair",
    text: "The database takes no encrypted connections. Turn ssl on at the server, or leave sslmode out of the connection string.",
  },
  {
    codes: /CERT|^(ERR_TLS_|ERR_SSL_|UNABLE_TO_)/,
    remedy: "repair",
    text: "The database's certificate is not trusted. Name its authority in the connection string: sslrootcert=FILE.",
  },
  {
    codes: /^53100$/,
    remedy: "repair",
    text: "The database's server has no disk space left. Free some on the server, or enlarge its disk.",
  },
  {
    codes: /^53300$/,
    remedy: "again",
    text: "The database has no connection left. Lower `maxConnections`, raise max_connections on the server, or put a pooler before it.",
  },
  {
    codes: /^53/,
    remedy: "again",
    text: "The database's server is out of memory or another resource. Its log says which.",
  },
  {
    codes: /^57P0/,
    remedy: "again",
    text: "The database's server is starting or shutting down. Its log states the reason. Wait until it is ready.",
  },
  {
    codes: /^58/,
    remedy: "repair",
    text: "The database's server cannot use its files. Its log states the reason.",
  },
  {
    codes: /^25006$/,
    remedy: "repair",
    text:
      "The database only reads: it is a read replica, or its default_transaction_read_only is on. Write to the primary server: check the host in the connection string, " +
      "or turn that setting off.",
  },
  {
    codes: /^(08001|08006)$/,
    isServers: true,
    remedy: "again",
    text: "The database cannot reach one of the servers that hold parts of its tables. Check whether all of them run.",
  },
  {
    messages:
      /^(server login has been failing|server login failed|query_wait_timeout|no more connections allowed)/,
    remedy: "again",
    text: "The pooler before the database has no connection to it. Its log states the reason: the server does not run or refuses the pooler's login, or all connections are in use.",
  },
  {
    messages: /^Cannot use a pool after/,
    remedy: "repair",
    text: "The application has ended its pool, but still uses it.",
  },
  {
    codes: /^(08|25P0[34]$|ECONNRESET$|ECONNABORTED$|EPIPE$)/,
    messages: /^(Connection terminated|Client has encountered a connection error|Client was closed)/,
    remedy: "again",
    text: "The connection to the database broke. The next request connects again; the server's log may state the reason.",
  },
];

export function failureOf(error: unknown): Pick<DatabaseFailure, "remedy" | "text"> | undefined {
  if (error instanceof AggregateError) return firstOf(error.errors, failureOf);
  const { code, message, severity } = error as CodedError;
  const fits = ({ codes, messages, isServers = false }: DatabaseFailure) => {
    if (isServers && severity === undefined) return false;
    if (typeof code === "string" && codes?.test(code)) return true;
    return (code === undefined || code === POOLER_CODE) && messages?.test(String(message));
  };
  return FAILURES.find(fits);
}

export function connectionFailureText(error: unknown): string | undefined {
  return failureOf(error)?.text;
}

/** An address with several numbers fails once per number. */
export function firstOf<T, R>(all: readonly T[], of: (one: T) => R | undefined): R | undefined {
  for (const one of all) {
    const result = of(one);
    if (result !== undefined) return result;
  }
  return undefined;
}
