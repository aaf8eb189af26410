/** A request that cannot be answered: the message names the parameter and what is wrong with it. */
export class InvalidRequestError extends Error {
  override readonly name = "InvalidRequestError";
  readonly parameter: string;

  constructor(parameter: string, problem: string) {
    super(`${parameter} ${problem}`);
    this.parameter = parameter;
  }
}

/** The source knows no such session in that tenant. The usual mistake is a forgotten `tenantId`, so the message names it. */
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
 * The store behind a data source cannot be reached or read just now; trying again later may help. A data source throws it
 * with what went wrong as `cause`. Its message reaches clients: no secret and no path belongs in it.
 */
export class SourceUnavailableError extends Error {
  override readonly name = "SourceUnavailableError";
}

/**
 * The store refuses every call until somebody changes something there: a schema is missing, a password is wrong, a disk is full. The message states
 * what to change. Trying again at once does not help.
 */
export class SourceRefusedError extends SourceUnavailableError {}

/**
 * Something was not read because reading it exceeds a bound: it is crafted, or much larger than what histories hold. It stays so until its
 * files change. The message names the file, the bound and what to do.
 */
export class ReadingLimitError extends SourceUnavailableError {}

/**
 * What was read changed in a way that the answer cannot go on with: a file was replaced or cut while it was being read.
 * Asking again reads it anew, which the HTTP API does once by itself.
 */
export class SourceChangedError extends Error {
  override readonly name = "SourceChangedError";
}

/**
 * What a data source gave is not what the port promises: a list that is no array, a stream with fewer records than it said. The
 * message names the member; it is for the author of the source, and clients do not see it.
 */
export class SourceContractError extends Error {
  override readonly name = "SourceContractError";
}

/**
 * Options that there are not, whose values are wrong, or that contradict each other: of `createAgentApp`, and of the inspector's route and
 * container, the receiver and PostgreSQL. The message names what to set instead; it holds no secret.
 */
export class AgentAppConfigurationError extends Error {
  override readonly name = "AgentAppConfigurationError";
}

/**
 * Which error it is that nobody expected, as an answer may say it: for whoever mends it. The message of one of the system names paths,
 * and is left out.
 */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  return "code" in error ? error.name : `${error.name}: ${error.message}`;
}

/** Something could not be recorded: the message says what, and of which session. `cause` is the store's error. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/**
 * An exported session that cannot be opened: it is damaged, broken off, or of a later version. The message says which, and what to do; it is
 * for people, and holds nothing of the file.
 */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/**
 * Something in what is to be exported can neither be looked at nor removed, so that nothing is exported. The message says what, and holds
 * nothing of it.
 */
export class UnlookableError extends Error {
  override readonly name = "UnlookableError";
}
