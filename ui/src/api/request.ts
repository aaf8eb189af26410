import { ApiError, type ApiProblem, readProblem } from "./api-problem.js";
import { type EndpointPath, endpointAddress, type QueryAt } from "./endpoint-address.js";
import { send } from "./transport.js";

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Tag of the caller's copy; allows a 304. */
  readonly etag?: string | undefined;
}

/** The API never redirects, but a guard redirects people to sign in. */
const SIGNED_OUT: ApiProblem = {
  kind: "signInRequired",
  status: undefined,
  detail: "The application redirects to another page.",
};

/**
 * @param base without a slash at its end
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

/** A redirect to another origin, which the page must not follow. */
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
      // The worker caches in memory; the HTTP cache would write histories to disk.
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
