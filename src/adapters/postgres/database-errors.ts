import { SourceRefusedError, SourceUnavailableError } from "../../application/errors.js";
import { type CodedError, failureOf, firstOf } from "./connection-failures.js";

/** A prepared statement is missing or exists already: a pooler has changed the connection. */
const STATEMENT_STATES = new Set(["26000", "42P05"]);

const UNIQUE_VIOLATION = "23505";
const QUERY_CANCELED = "57014";
const INSUFFICIENT_PRIVILEGE = "42501";
const UNDEFINED_TABLE = "42P01";
const UNDEFINED_SCHEMA = "3F000";
const UNDEFINED_COLUMN = "42703";

export function isUnavailable(error: unknown): boolean {
  return error instanceof SourceUnavailableError || failureOf(error) !== undefined;
}

export function isWorthRetrying(error: unknown): boolean {
  return (
    isUnavailable(error) && !(error instanceof SourceRefusedError) && failureOf(error)?.remedy !== "repair"
  );
}

export function losesConnection(error: unknown): boolean {
  return isUnavailable(error) && failureOf(error)?.remedy !== "undone";
}

export function isStatementLost(error: unknown): boolean {
  return STATEMENT_STATES.has(codeOf(error) ?? "");
}

export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

export function isOutOfTime(error: unknown): boolean {
  return codeOf(error) === QUERY_CANCELED;
}

export function isForbidden(error: unknown): boolean {
  return codeOf(error) === INSUFFICIENT_PRIVILEGE;
}

export function isSchemaError(error: unknown): boolean {
  const code = codeOf(error);
  return code === UNDEFINED_TABLE || code === UNDEFINED_SCHEMA || code === UNDEFINED_COLUMN;
}

/** Returns an error that clients and the log may show; any other error unchanged. */
export function explained(error: unknown): unknown {
  const failure = failureOf(error);
  if (failure === undefined) return error;
  const Failure = failure.remedy === "repair" ? SourceRefusedError : SourceUnavailableError;
  return new Failure(failure.text, codeAlone(error));
}

export function explainedConnecting(error: unknown): unknown {
  if (!isForbidden(error)) return explained(error);
  return new SourceRefusedError(
    "The role may not connect to the database. Let the database's owner run: GRANT CONNECT ON DATABASE … TO ….",
    codeAlone(error),
  );
}

/** Omits the driver's message, which quotes hosts and users. */
function codeAlone(error: unknown): { readonly cause: Error } {
  return { cause: new Error(codeOf(error) ?? "no code") };
}

export function timedOut(timeoutMs: number): SourceUnavailableError {
  return new SourceUnavailableError(`The database did not answer within ${timeoutMs} ms.`);
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return firstOf(error.errors, codeOf);
  const { code } = error as CodedError;
  return typeof code === "string" ? code : undefined;
}
