import { ApiError, type ApiProblem, readProblem } from "./api-problem.js";
import { type EndpointPath, endpointAddress, type QueryAt } from "./endpoint-address.js";
import { send } from "./transport.js";

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** The entity tag of what the caller has; the answer may then be 304. */
  readonly etag?: string | undefined;
}

/** The API itself never redirects. A guard redirects people to a page for signing in. */
const SIGNED_OUT: ApiProblem = {
  kind: "signInRequired",
  status: undefined,
  detail: "The application redirects to another page.",
};

/**
 * Asks the API.
 *
 * @param base the address of the API, without a slash at its end
 * @returns an answer with a body, or 304
 * @throws ApiError
 */
export async function request<Path extends EndpointPath>(
  base: string,
  path: Path,
  query: QueryAt<Path>,
  options: RequestOptions = {},
): Promise<Response> {
  const response = await ask(endpointAddress(base, path, query), options);
  if (response.redirected && response.headers.get("content-type")?.startsWith("text/html")) {
    await response.body?.cancel();
    throw new ApiError(SIGNED_OUT);
  }
  if (!response.ok && response.status !== 304) throw new ApiError(await readProblem(response));
  return response;
}

/** True where a request fails because of a redirect to another origin, which the page must not follow. */
async function isRedirected(address: string, signal: AbortSignal | undefined): Promise<boolean> {
  const init: RequestInit = { cache: "no-store", redirect: "manual", signal: signal ?? null };
  try {
    return (await send(address, init)).type === "opaqueredirect";
  } catch {
    return false;
  }
}

async function ask(address: string, { signal, etag }: RequestOptions): Promise<Response> {
  try {
    return await send(address, {
      // The worker holds what it needs; the HTTP cache would only write histories to disk.
      cache: "no-store",
      headers: { accept: "application/json", ...(etag === undefined ? {} : { "if-none-match": etag }) },
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    const wasRedirected = !signal?.aborted && (await isRedirected(address, signal));
    if (signal?.aborted) throw error;
    if (wasRedirected) throw new ApiError(SIGNED_OUT, { cause: error });
    throw new ApiError({ kind: "unreachable", status: undefined, detail: String(error) }, { cause: error });
  }
}
