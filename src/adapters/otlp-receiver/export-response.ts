import { ExportTraceServiceResponse, Status } from "./messages.js";
import type { RefusalStatus, RefusedRequest } from "./refused-request.js";
import { ACCEPTED_ENCODINGS } from "./request-body.js";

export const CONTENT_TYPES = { json: "application/json", protobuf: "application/x-protobuf" } as const;

export type Encoding = keyof typeof CONTENT_TYPES;

const RETRY_AFTER = "1";

/** google.rpc.Code: https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const CODES: Readonly<Record<RefusalStatus, number>> = {
  400: 3, // INVALID_ARGUMENT
  403: 7, // PERMISSION_DENIED
  405: 12, // UNIMPLEMENTED
  413: 8, // RESOURCE_EXHAUSTED
  415: 3,
  500: 13, // INTERNAL
  503: 14, // UNAVAILABLE
};

export function exportResponse(
  encoding: Encoding,
  { rejected, message }: { readonly rejected: number; readonly message: string },
): Response {
  const isFull = rejected === 0 && message === "";
  const partialSuccess = { rejectedSpans: String(rejected), errorMessage: message };
  const response = isFull ? {} : { partialSuccess };
  const body =
    encoding === "json"
      ? JSON.stringify(response)
      : ExportTraceServiceResponse.encode(ExportTraceServiceResponse.fromObject(response)).finish();
  return responseOf(body, 200, encoding);
}

/** Returns a `google.rpc.Status`, in the type of the request if that is supported. */
export function refusal({ status, message }: RefusedRequest, encoding: Encoding = "json"): Response {
  const content = { code: CODES[status], message };
  const body = encoding === "json" ? JSON.stringify(content) : Status.encode(content).finish();
  const response = responseOf(body, status, encoding);
  if (status === 405) response.headers.set("Allow", "POST");
  if (status === 415) response.headers.set("Accept-Encoding", ACCEPTED_ENCODINGS);
  if (status === 503) response.headers.set("Retry-After", RETRY_AFTER);
  return response;
}

function responseOf(body: string | Uint8Array, status: number, encoding: Encoding): Response {
  return new Response(typeof body === "string" ? body : new Uint8Array(body), {
    status,
    headers: { "Content-Type": CONTENT_TYPES[encoding], "X-Content-Type-Options": "nosniff" },
  });
}
