import { isJsonObject, textField } from "../../../src/domain/json/json.js";

/** Plain data, because the worker posts it to the page. */
export interface ApiProblem {
  /**
   * - `unreachable`: no answer, or a proxy reports that.
   * - `missing`: no such session exists.
   * - `tokenRequired`: the caller has to send a token, and no browser does so by itself.
   * - `signInRequired`: the caller is not signed in, or not any more.
   * - `forbidden`: the caller is signed in, and may not read this.
   * - `failed`: the service answered with an error.
   * - `broken`: the answer ended early, or has another form than documented.
   */
  readonly kind:
    | "unreachable"
    | "missing"
    | "tokenRequired"
    | "signInRequired"
    | "forbidden"
    | "failed"
    | "broken";
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

/** The text is the `detail` of RFC 9457 if the answer has one. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const body = await response.text();
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") === true;
  const parsed: unknown = isProblem ? JSON.parse(body) : undefined;
  const detail = isJsonObject(parsed)
    ? (textField(parsed, "detail") ?? textField(parsed, "title"))
    : undefined;
  return {
    kind: kindOf(response, isProblem),
    status: response.status,
    detail: detail ?? `HTTP ${response.status}`,
  };
}

function kindOf({ status, headers }: Response, isProblem: boolean): ApiProblem["kind"] {
  if (status === 401) return asksForToken(headers) ? "tokenRequired" : "signInRequired";
  if (status === 403) return "forbidden";
  if (status === 404 && isProblem) return "missing";
  return isGateway(status) ? "unreachable" : "failed";
}

/** True if `WWW-Authenticate` (RFC 9110 section 11.6.1) names tokens (RFC 6750) and no scheme with a dialog in a browser. */
function asksForToken(headers: Headers): boolean {
  const challenges = headers.get("www-authenticate") ?? "";
  return (
    has(challenges, "Bearer") && !["Basic", "Digest", "Negotiate"].some((scheme) => has(challenges, scheme))
  );
}

function has(challenges: string, scheme: string): boolean {
  return new RegExp(`(?:^|,)\\s*${scheme}(?=[\\s,]|$)`, "i").test(challenges);
}

/** A proxy returns these if the application does not run. */
function isGateway(status: number): boolean {
  return status === 502 || status === 504;
}
