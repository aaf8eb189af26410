import {
  InvalidRequestError,
  SessionNotFoundError,
  SourceUnavailableError,
} from "../../application/errors.js";

/** A problem document, RFC 9457. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: 400 | 404 | 405 | 500 | 503;
  readonly detail: string;
}

/** No page describes these problems beyond their title: RFC 9457 section 4.2.1. */
const type = "about:blank";

export const UNKNOWN_PATH: Problem = {
  type,
  title: "Not Found",
  status: 404,
  detail:
    "There is nothing here. The inspector answers /sessions, /sessions/:sessionId/trace, " +
    "/sessions/:sessionId/orchestration, /sessions/:sessionId/messages and /health.",
};

export const METHOD_NOT_ALLOWED: Problem = {
  type,
  title: "Method Not Allowed",
  status: 405,
  detail: "The inspector only reads: use GET or HEAD.",
};

export const ACCESS_FAILED: Problem = {
  type,
  title: "Internal Server Error",
  status: 500,
  detail:
    "The application could not decide what may be seen, so nothing is. The log of the application that hosts the " +
    "inspector says why.",
};

/** An error as a problem document. One that the client cannot act on does not contain its cause. */
export function problemOf(error: unknown): Problem {
  if (error instanceof InvalidRequestError) {
    return { type, title: "Bad Request", status: 400, detail: error.message };
  }
  if (error instanceof SessionNotFoundError) {
    return { type, title: "Not Found", status: 404, detail: error.message };
  }
  if (error instanceof SourceUnavailableError) {
    return { type, title: "Service Unavailable", status: 503, detail: error.message };
  }
  return {
    type,
    title: "Internal Server Error",
    status: 500,
    detail: "The data source failed. The log of the application that hosts the inspector says why.",
  };
}
