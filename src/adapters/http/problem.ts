import {
  InvalidRequestError,
  SessionNotFoundError,
  SourceChangedError,
  SourceUnavailableError,
  UnlookableError,
} from "../../application/errors.js";
import { visibleText } from "../../domain/text/visible-text.js";

/** RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: 400 | 404 | 405 | 500 | 503;
  readonly detail: string;
}

/** RFC 9457 section 4.2.1: no page describes these problems beyond their title. */
const type = "about:blank";

export function unknownPath(paths: readonly string[]): Problem {
  const detail = `There is nothing here. The inspector answers ${paths.slice(0, -1).join(", ")} and ${paths.at(-1)}.`;
  return { type, title: "Not Found", status: 404, detail };
}

export const METHOD_NOT_ALLOWED: Problem = {
  type,
  title: "Method Not Allowed",
  status: 405,
  detail: "The inspector only reads: use GET or HEAD.",
};

const SOURCE_FAILED: Problem = {
  type,
  title: "Internal Server Error",
  status: 500,
  detail: "The data source failed. The log of the application that hosts the inspector states the reason.",
};

/** A writer is changing the session: not a failure, so only the client gets it. */
export const SOURCE_CHANGED: Problem = {
  type,
  title: "Service Unavailable",
  status: 503,
  detail: "The data changed twice while it was read. Repeat the request.",
};

export const ACCESS_FAILED: Problem = {
  type,
  title: "Internal Server Error",
  status: 500,
  detail:
    "The application could not decide which data this request may read, so access is denied. The log of the application that hosts the " +
    "inspector states the reason.",
};

export const ACCESS_LATE: Problem = {
  type,
  title: "Service Unavailable",
  status: 503,
  detail: "The application did not decide in time what may be read, so nothing is. Try again later.",
};

/** Omits the cause of an error that the client cannot act on. */
export function problemOf(error: unknown): Problem {
  try {
    return describe(error);
  } catch {
    return SOURCE_FAILED;
  }
}

function describe(error: unknown): Problem {
  if (error instanceof InvalidRequestError) return explained("Bad Request", 400, error);
  if (error instanceof UnlookableError) return explained("Bad Request", 400, error);
  if (error instanceof SessionNotFoundError) return explained("Not Found", 404, error);
  if (error instanceof SourceUnavailableError) return explained("Service Unavailable", 503, error);
  return error instanceof SourceChangedError ? SOURCE_CHANGED : SOURCE_FAILED;
}

/** A message quotes input of the client, which a terminal may print. */
function explained(title: string, status: Problem["status"], { message }: Error): Problem {
  return { type, title, status, detail: visibleText(message) };
}
