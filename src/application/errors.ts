export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";
  readonly parameter: string;

  constructor(parameter: string, problem: string) {
    super(`${parameter} ${problem}`);
    this.parameter = parameter;
  }
}

/** The message names the tenant, because the usual mistake is a forgotten `tenantId`. */
export class SessionNotFoundError extends Error {
  override readonly name = "SessionNotFoundError";
  readonly tenantId: string;
  readonly sessionId: string;

  constructor(tenantId: string, sessionId: string) {
    super(
      `There is no session "${sessionId}" in tenant "${tenantId}". ` +
        "If it belongs to another tenant, name that one in the query: ?tenantId=…",
    );
    this.tenantId = tenantId;
    this.sessionId = sessionId;
  }
}

/**
 * The store cannot be reached at the moment; a later attempt may succeed. Its message reaches clients, so it must not contain a secret or
 * a path; the underlying error is `cause`.
 */
export class SourceUnavailableError extends Error {
  override readonly name = "SourceUnavailableError";
}

/**
 * The store refuses every call until somebody repairs it: a missing schema, a wrong password, a full disk. The message states the repair.
 */
export class SourceRefusedError extends SourceUnavailableError {}

/** Reading something would exceed a bound, until its files change. The message names the file, the bound and the remedy. */
export class ReadingLimitError extends SourceUnavailableError {}

/** A file was replaced or cut during reading. The HTTP API repeats the request once by itself. */
export class SourceChangedError extends Error {
  override readonly name = "SourceChangedError";
}

/** A data source violated its contract. The message names the member; it is for the author of the source, and clients do not get it. */
export class SourceContractError extends Error {
  override readonly name = "SourceContractError";
}

/** Options that do not exist, have wrong values, or contradict each other. The message holds no secret. */
export class AgentAppConfigurationError extends Error {
  override readonly name = "AgentAppConfigurationError";
}

/** Omits the messages of system errors, because they name paths. */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  return "code" in error ? error.name : `${error.name}: ${error.message}`;
}

/** The message names the record and its session. `cause` is the store's error. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/** An exported session is damaged, incomplete, or of a later version. The message is for people, and holds nothing of the file. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** Something can neither be examined nor removed, so nothing is exported. The message holds nothing of it. */
export class UnlookableError extends Error {
  override readonly name = "UnlookableError";
}
