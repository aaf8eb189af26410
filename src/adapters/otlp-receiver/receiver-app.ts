import { type Context, Hono } from "hono";
import pLimit from "p-limit";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { SpanStore } from "../../application/ports/span-store.js";
import { type AccessDecision, accessOf } from "../../application/sources/decide-access.js";
import type { InspectorAccess } from "../../application/sources/scope.js";
import { tellHost } from "../../domain/options/host-functions.js";
import { idProblem } from "../../domain/session/ids.js";
import { DECODE } from "./decode-task.js";
import { CONTENT_TYPES, type Encoding, exportResponse, refusal } from "./export-response.js";
import { RefusedRequest } from "./refused-request.js";
import { Allotment, type BodyLimits, ByteBudget, readBody } from "./request-body.js";
import type { DecodedSpans } from "./span-lines.js";

export interface ReceivedSpans {
  readonly spans: number;
  readonly rejected: number;
}

export interface ReceiverSettings extends BodyLimits {
  readonly pool: ReadingPool;
  readonly ownsPool: boolean;
  readonly store: SpanStore;
  /**
   * Decides for each request which tenants its sender may write. A sender with one tenant writes only to that one; a sender with several
   * must name an allowed tenant in each span. `"all"`, the default, trusts the spans and warns at the start.
   * @example
   * access: async (c) => {
   *   const sender = await senderOf(c.req.header("Authorization"));
   *   return sender === undefined ? c.text("Who are you?", 401) : { tenants: [sender.tenantId] };
   * }
   */
  readonly access?: DecideSenderAccess | undefined;
  /** Time limit of `access`, in milliseconds, from 1 to 2147483647; a longer request is 503. Default is 60,000. */
  readonly timeoutMs: number;
  /**
   * Maximum size of requests that wait to be written, and of the lines of one request, in bytes. Above it the request is 503, and its
   * sender repeats it. Default is 64 MiB.
   */
  readonly maxPendingBytes: number;
  /** Called if spans are not accepted for a reason that their sender did not cause. Default writes to standard error. */
  readonly onError: (error: unknown, request: { readonly method: string; readonly path: string }) => void;
  /** Called for each request after its spans are written. */
  readonly onReceived?: ((received: ReceivedSpans) => void) | undefined;
}

interface ReceiverApp {
  readonly app: Hono;
  stop(): Promise<void>;
}

const EVERYTHING: InspectorAccess = { tenants: "all" };

const NO_TENANT = new RefusedRequest(403, "This sender may not write spans of any tenant.");
const STOPPED = new RefusedRequest(503, "The receiver stops. Send these spans again.");

/**
 * `POST /v1/traces` of OTLP/HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp
 *
 * @param settings whose `onError` does not throw
 */
export function receiverApp(settings: ReceiverSettings): ReceiverApp {
  const { pool, ownsPool, store, access, timeoutMs, maxPendingBytes, onError, onReceived } = settings;
  const budget = new ByteBudget(maxPendingBytes);
  // The number of decoding threads bounds the memory for decoding, which the budget does not count.
  const inTurn = pLimit(pool.threads);
  const underWay = new Set<Promise<Response>>();
  let isStopped = false;

  const receive = async (c: Context, encoding: Encoding, allotment: Allotment): Promise<Response> => {
    const admitted = access === undefined ? EVERYTHING : await accessOfSender(c, access, timeoutMs);
    if (!("tenants" in admitted)) return admitted;
    const { tenants } = admitted;
    if (tenants.length === 0) throw NO_TENANT;
    const bytes = await readBody(c.req.raw, settings, allotment);
    const work = { bytes, encoding, tenants, maxBytes: maxPendingBytes, isOwnThread: ownsPool };
    const moved = isUnshared(bytes) ? [bytes.buffer] : [];
    const decoded = await inTurn(() => pool.run(DECODE, work, { moved }));
    if ("problem" in decoded) throw new RefusedRequest(decoded.status, decoded.problem);
    if (decoded.spans > 0) await write(decoded, allotment);
    const { spans, rejected } = decoded;
    // The spans are written: an error now would make the sender repeat them.
    tellHost(
      () => onReceived?.({ spans, rejected }),
      (error) => onError(error, { method: "POST", path: c.req.path }),
    );
    return exportResponse(encoding, decoded);
  };

  const write = async ({ lines }: DecodedSpans, allotment: Allotment): Promise<void> => {
    allotment.set(lines.length);
    await store.append(lines);
    release(lines);
  };

  const answer = async (c: Context): Promise<Response> => {
    const { path, raw } = c.req;
    const encoding = encodingOf(raw.headers.get("Content-Type"));
    const allotment = new Allotment(budget);
    try {
      refuseBrowsers(raw.headers);
      if (encoding === undefined) {
        throw new RefusedRequest(415, `Send ${Object.values(CONTENT_TYPES).join(" or ")}.`);
      }
      if (isStopped) throw STOPPED;
      return await receive(c, encoding, allotment);
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
    const answered = answer(c);
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

/** Frees memory at once: the host's collector counts it until it runs, and runs more often because of it. */
function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) NOWHERE.postMessage(null, [buffer]);
}

function isUnshared(bytes: Buffer): bytes is Buffer<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;
}

/**
 * A page of another site could write into a receiver that its reader can reach. Each cross-site POST of a browser has an `Origin`, also
 * with DNS rebinding; an exporter sends none.
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
 * Decides which tenants the sender of a request may write, before its body is read. A `Response` is the answer. If it throws, returns any
 * other value or takes longer than `timeoutMs`, nothing is written, `onError` gets the error, and the answer is 503.
 */
export type DecideSenderAccess = AccessDecision<Context>;

/** Maximum length of an ID, in bytes of UTF-8: it becomes the name of a folder. */
const MOST_BYTES = 200;

/** @throws TypeError for a decision that is neither a scope of possible ids nor a response */
async function accessOfSender(
  c: Context,
  decide: DecideSenderAccess,
  limitMs: number,
): Promise<InspectorAccess | Response> {
  const decision = await accessOf(c, decide, limitMs);
  if (!("tenants" in decision) || decision.tenants === "all") return decision;
  for (const tenant of decision.tenants) {
    const problem = problemOf(tenant);
    if (problem !== undefined) throw new TypeError(`A tenant that \`access\` gave ${problem}.`);
  }
  return decision;
}

function problemOf(id: string): string | undefined {
  if (Buffer.byteLength(id) > MOST_BYTES) return `must not have more than ${MOST_BYTES} bytes`;
  if (/\p{Surrogate}/u.test(id)) return "must not contain half a character";
  return idProblem(id);
}
