import { Hono } from "hono";
import pLimit from "p-limit";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { SpanStore } from "../../application/ports/span-store.js";
import { idProblem } from "../../domain/session/ids.js";
import { DECODE } from "./decode-task.js";
import { CONTENT_TYPES, type Encoding, exportResponse, refusal } from "./export-response.js";
import { RefusedRequest } from "./refused-request.js";
import { Allotment, type BodyLimits, ByteBudget, readBody } from "./request-body.js";
import type { DecodedSpans } from "./span-lines.js";

/** What became of the spans of a request. */
export interface ReceivedSpans {
  /** How many are written. */
  readonly spans: number;
  readonly rejected: number;
}

export interface ReceiverSettings extends BodyLimits {
  /** Where requests are decoded, and whether nothing else is done there. */
  readonly pool: ReadingPool;
  readonly ownsPool: boolean;
  readonly store: SpanStore;
  /**
   * Binds each sender to a tenant: all spans of a request are of the one that it gives, whatever they say themselves. Default is that
   * spans say whose they are, and that whoever sends them is believed.
   *
   * @example
   * tenantOf: async (request) => {
   *   const sender = await senderOf(request.headers.get("Authorization"));
   *   return sender === undefined ? new Response("Who are you?", { status: 401 }) : sender.tenantId;
   * }
   */
  readonly tenantOf?: DecideTenant | undefined;
  /**
   * How many bytes of requests are held until they are written, and how many the lines of one may take. What does not fit is 503, for
   * its sender to send again. Default is 64 MiB.
   */
  readonly maxPendingBytes: number;
  /** Told why spans could not be taken, where that is no fault of their sender's. Default writes it to standard error. */
  readonly onError: (error: unknown, request: { readonly method: string; readonly path: string }) => void;
  /** Told of each request when its spans are written. */
  readonly onReceived?: ((received: ReceivedSpans) => void) | undefined;
}

interface ReceiverApp {
  readonly app: Hono;
  /** Takes no further request, and waits for those that are under way. */
  stop(): Promise<void>;
}

const STOPPED = new RefusedRequest(503, "The receiver stops. Send these spans again.");

/**
 * `POST /v1/traces` of OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp
 *
 * @param settings whose `onError` does not throw
 */
export function receiverApp(settings: ReceiverSettings): ReceiverApp {
  const { pool, ownsPool, store, tenantOf, maxPendingBytes, onError, onReceived } = settings;
  const budget = new ByteBudget(maxPendingBytes);
  // What decoding takes beside the body is not counted: as many are decoded at a time as there are threads for it.
  const inTurn = pLimit(pool.threads);
  const underWay = new Set<Promise<Response>>();
  let isStopped = false;

  const receive = async (request: Request, encoding: Encoding, allotment: Allotment): Promise<Response> => {
    const tenantId = tenantOf === undefined ? undefined : await tenantOfSender(request, tenantOf);
    if (typeof tenantId === "object") return tenantId;
    const bytes = await readBody(request, settings, allotment);
    const work = { bytes, encoding, tenantId, maxBytes: maxPendingBytes, isOwnThread: ownsPool };
    const moved = isWhole(bytes) ? [bytes.buffer] : [];
    const decoded = await inTurn(() => pool.run(DECODE, work, { moved }));
    if ("problem" in decoded) throw new RefusedRequest(decoded.status, decoded.problem);
    if (decoded.spans > 0) await write(decoded, allotment);
    onReceived?.({ spans: decoded.spans, rejected: decoded.rejected });
    return exportResponse(encoding, decoded);
  };

  const write = async ({ lines }: DecodedSpans, allotment: Allotment): Promise<void> => {
    allotment.set(lines.length);
    await store.append(lines);
    release(lines);
  };

  const answer = async (request: Request, path: string): Promise<Response> => {
    const encoding = encodingOf(request.headers.get("Content-Type"));
    const allotment = new Allotment(budget);
    try {
      refuseBrowsers(request.headers);
      if (encoding === undefined) {
        throw new RefusedRequest(415, `Send ${Object.values(CONTENT_TYPES).join(" or ")}.`);
      }
      if (isStopped) throw STOPPED;
      return await receive(request, encoding, allotment);
    } catch (error) {
      if (error instanceof RefusedRequest) return refusal(error, encoding);
      onError(error, { method: "POST", path });
      return refusal(new RefusedRequest(503, "The spans could not be written. Send them again."), encoding);
    } finally {
      allotment.set(0);
    }
  };

  const app = new Hono();
  app.post("/v1/traces", async (c) => {
    const answered = answer(c.req.raw, c.req.path);
    underWay.add(answered);
    answered.finally(() => underWay.delete(answered));
    return answered;
  });
  app.all("/v1/traces", () => refusal(new RefusedRequest(405, "Spans are sent with POST.")));
  return {
    app,
    async stop() {
      isStopped = true;
      await Promise.all(underWay);
    },
  };
}

const { port1: NOWHERE } = new MessageChannel();
NOWHERE.close();

/** Frees memory now: the host's collector counts it until it has run, and runs more often for it. */
function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) NOWHERE.postMessage(null, [buffer]);
}

/** Whether nothing else lies in the memory that bytes are in. */
function isWhole(bytes: Buffer): bytes is Buffer<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;
}

/**
 * A page of another site could write into a receiver that its reader can reach: each cross-site POST of a browser has an `Origin`,
 * also one to a name that was made to point here. What sends spans has none.
 */
function refuseBrowsers(headers: Headers): void {
  const site = headers.get("Sec-Fetch-Site");
  if (headers.get("Origin") === null && (site === null || site === "none")) return;
  throw new RefusedRequest(403, "Pages in a browser may not send spans.");
}

function encodingOf(contentType: string | null): Encoding | undefined {
  const type = contentType?.split(";")[0]?.trim().toLowerCase();
  return (Object.keys(CONTENT_TYPES) as Encoding[]).find((encoding) => CONTENT_TYPES[encoding] === type);
}

/**
 * Decides whose the spans of a request are, before its body is read: the id of a tenant, or a `Response` that is sent in the place of
 * an answer. It is asked once for every request that could be taken. Where it throws or gives anything else, nothing is written, the
 * host is told, and the answer is 503.
 */
export type DecideTenant = (request: Request) => string | Response | Promise<string | Response>;

/** How long an id is at most, in bytes of UTF-8: it becomes the name of a folder. */
const MOST_BYTES = 200;

/** @throws TypeError for a decision that is neither an id nor a response */
async function tenantOfSender(request: Request, decide: DecideTenant): Promise<string | Response> {
  const decision: unknown = await decide(request);
  if (isResponse(decision)) return decision;
  const problem = typeof decision === "string" ? problemOf(decision) : "is neither a text nor a Response";
  if (problem !== undefined) throw new TypeError(`The tenant that \`tenantOf\` gave ${problem}.`);
  return decision as string;
}

/** A server may put a class of its own in the place of `Response`: what `fetch` gives is no instance of that one. */
function isResponse(decision: unknown): decision is Response {
  return Object.prototype.toString.call(decision) === "[object Response]";
}

function problemOf(id: string): string | undefined {
  if (Buffer.byteLength(id) > MOST_BYTES) return `must not have more than ${MOST_BYTES} bytes`;
  if (/\p{Surrogate}/u.test(id)) return "must not contain half a character";
  return idProblem(id);
}
