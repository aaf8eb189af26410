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
 * The store behind a data source cannot be reached or read at the moment; a later attempt may succeed. A data source throws it with the
 * underlying error as `cause`. Its message reaches clients, so it must not contain a secret or a path.
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
 * The data changed in a way that the answer cannot continue: a file was replaced or cut during reading. The next request reads it again;
 * the HTTP API repeats the request once by itself.
 */
export class SourceChangedError extends Error {
  override readonly name = "SourceChangedError";
}

/**
 * A data source violated its contract: a list that is not an array, a stream with fewer records than announced. The message names the
 * member; it is for the author of the source, and clients do not get it.
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
 * Describes an unexpected error in an answer, for whoever repairs it. System errors name paths in their messages, so their messages are
 * omitted.
 */
export function faultText(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  return "code" in error ? error.name : `${error.name}: ${error.message}`;
}

/** A record could not be stored: the message names it and its session. `cause` is the store's error. */
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
