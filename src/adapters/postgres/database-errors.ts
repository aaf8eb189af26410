import { SourceUnavailableError } from "../../application/errors.js";
import { type CodedError, connectionFailureText, firstOf } from "./connection-failures.js";

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
  return error instanceof SourceUnavailableError || connectionFailureText(error) !== undefined;
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

/** The failure of a connection or a statement as clients and the log may show it; any other error as it is. */
export function explained(error: unknown): unknown {
  if (UNDONE_STATES.has(codeOf(error) ?? "")) {
    return unavailable(
      "The database has undone what was asked for, because of something done at the same time. Ask again.",
      error,
    );
  }
  const text = connectionFailureText(error);
  return text === undefined ? error : unavailable(text, error);
}

/** The same where a connection is opened. */
export function explainedConnecting(error: unknown): unknown {
  if (!isForbidden(error)) return explained(error);
  return unavailable(
    "The role may not connect to the database. Let the database's owner run: GRANT CONNECT ON DATABASE … TO ….",
    error,
  );
}

/** Of the driver's error only the code is kept: its message quotes hosts and users. */
function unavailable(text: string, error: unknown): SourceUnavailableError {
  return new SourceUnavailableError(text, { cause: new Error(codeOf(error) ?? "no code") });
}

export function timedOut(timeoutMs: number): SourceUnavailableError {
  return new SourceUnavailableError(`The database did not answer within ${timeoutMs} ms.`);
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return firstOf(error.errors, codeOf);
  const { code } = error as CodedError;
  return typeof code === "string" ? code : undefined;
}
