import { SourceUnavailableError } from "../../application/errors.js";

/** The part of a failure that is read: its code holds no host, no user and no password. */
interface CodedError {
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Errors of the socket, by `errno` name. */
const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "EACCES",
]);

/** SQLSTATEs of a server that cannot be used just now: connection, login, no such database, resources, shutdown and start-up, a standby's cancelled read. */
const UNAVAILABLE_STATES = /^(08|28|53|3D000|57P0|58)/;

/** The driver's messages for a connection that ended, which have no code. */
const ENDED_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|The server does not support SSL|Cannot use a pool after)/;

/** A serialization failure, a deadlock: the transaction was undone as a whole and may be tried again. */
const UNDONE_STATES = new Set(["40001", "40P01"]);

/** A prepared statement that is missing, or there already: a pooler has changed the connection behind the client's. */
const STATEMENT_STATES = new Set(["26000", "42P05"]);

const UNIQUE_VIOLATION = "23505";
const QUERY_CANCELED = "57014";
const INSUFFICIENT_PRIVILEGE = "42501";
const UNDEFINED_TABLE = "42P01";
const UNDEFINED_SCHEMA = "3F000";
const UNDEFINED_COLUMN = "42703";

export function isUnavailable(error: unknown): boolean {
  if (error instanceof SourceUnavailableError) return true;
  const { code, message } = error as CodedError;
  if (typeof code === "string") return SOCKET_CODES.has(code) || UNAVAILABLE_STATES.test(code);
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  return typeof message === "string" && ENDED_CONNECTION.test(message);
}

/** Whether the same transaction may succeed when it is tried again. */
export function isWorthRetrying(error: unknown): boolean {
  return isUnavailable(error) || UNDONE_STATES.has(codeOf(error) ?? "");
}

/** The connection does not keep what was prepared on it. */
export function isStatementLost(error: unknown): boolean {
  return STATEMENT_STATES.has(codeOf(error) ?? "");
}

export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

/** The server's own limit of time ended the statement. */
export function isOutOfTime(error: unknown): boolean {
  return codeOf(error) === QUERY_CANCELED;
}

export function isForbidden(error: unknown): boolean {
  return codeOf(error) === INSUFFICIENT_PRIVILEGE;
}

/** The tables are not there, or not as they should be. */
export function isSchemaError(error: unknown): boolean {
  const code = codeOf(error);
  return code === UNDEFINED_TABLE || code === UNDEFINED_SCHEMA || code === UNDEFINED_COLUMN;
}

/** The failure as a client may see it. Of the driver's error only the code is kept: its message quotes hosts and users. */
export function unavailable(error: unknown): SourceUnavailableError {
  if (error instanceof SourceUnavailableError) return error;
  const code = codeOf(error) ?? "connection ended";
  return new SourceUnavailableError("The database cannot be reached just now.", { cause: new Error(code) });
}

export function timedOut(timeoutMs: number): SourceUnavailableError {
  return new SourceUnavailableError(`The database did not answer within ${timeoutMs} ms.`);
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const { code } = error as CodedError;
  return typeof code === "string" ? code : undefined;
}
