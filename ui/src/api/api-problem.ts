import { isJsonObject, textField } from "../../../src/domain/json/json.js";

/** Why a request failed. Plain data, because it is posted from the worker to the page. */
export interface ApiProblem {
  /**
   * - `unreachable`: there was no answer, or a proxy reports that there is none.
   * - `missing`: there is no such session.
   * - `failed`: the service answered with an error.
   * - `broken`: the answer ended early, or is not of the form that the API documents.
   */
  readonly kind: "unreachable" | "missing" | "failed" | "broken";
  readonly status: number | undefined;
  readonly detail: string;
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly problem: ApiProblem;

  constructor(problem: ApiProblem, options?: ErrorOptions) {
    super(problem.detail, options);
    this.problem = problem;
  }
}

/** From an answer that is no success: RFC 9457's `detail` where there is one. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const body = await response.text();
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") === true;
  const parsed: unknown = isProblem ? JSON.parse(body) : undefined;
  const detail = isJsonObject(parsed)
    ? (textField(parsed, "detail") ?? textField(parsed, "title"))
    : undefined;
  return {
    kind:
      response.status === 404 && isProblem
        ? "missing"
        : isGateway(response.status)
          ? "unreachable"
          : "failed",
    status: response.status,
    detail: detail ?? `HTTP ${response.status}`,
  };
}

/** What a proxy answers for an application that is gone. */
function isGateway(status: number): boolean {
  return status === 502 || status === 504;
}
