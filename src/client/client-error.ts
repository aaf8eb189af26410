/**
 * - `unreachable`: there was no answer. - `invalid_request` (400): a parameter cannot be. - `not_allowed` (401, 403): the application
 * does not let the caller in. - `not_found` (404): no such session, or no inspector. - `source_failed` (500): the data source or
 * `access` failed. - `unavailable` (502, 503, 504): ask again. - `unexpected_status`: any other status. - `broken_answer`: the answer
 * ended early, or is not what the API documents.
 */
export type InspectorErrorCode =
  | "unreachable"
  | "invalid_request"
  | "not_allowed"
  | "not_found"
  | "source_failed"
  | "unavailable"
  | "unexpected_status"
  | "broken_answer";

export class InspectorClientError extends Error {
  override readonly name = "InspectorClientError";
  readonly code: InspectorErrorCode;
  /** `undefined` if there was no answer. */
  readonly status: number | undefined;

  constructor(code: InspectorErrorCode, status: number | undefined, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
  }
}

const CODES: Readonly<Record<number, InspectorErrorCode>> = {
  400: "invalid_request",
  401: "not_allowed",
  403: "not_allowed",
  404: "not_found",
  500: "source_failed",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

export function errorOfAnswer(status: number, body: string): InspectorClientError {
  const { detail, title }: { readonly detail?: unknown; readonly title?: unknown } = problemIn(body);
  const message = [detail, title].find((text) => typeof text === "string" && text !== "");
  return new InspectorClientError(
    CODES[status] ?? "unexpected_status",
    status,
    String(message ?? `HTTP ${status}`),
  );
}

function problemIn(body: string): object {
  try {
    return Object(JSON.parse(body)) as object;
  } catch {
    return {};
  }
}
