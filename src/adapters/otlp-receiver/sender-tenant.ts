import { idProblem } from "../../domain/session/ids.js";

/**
 * Decides whose the spans of a request are, before its body is read: the id of a tenant, or a `Response` that is sent in the place of
 * an answer. It is asked once for every request that could be taken. Where it throws or gives anything else, nothing is written, the
 * host is told, and the answer is 503.
 */
export type DecideTenant = (request: Request) => string | Response | Promise<string | Response>;

/** How long an id is at most, in bytes of UTF-8: it becomes the name of a folder. */
const MOST_BYTES = 200;

/** @throws TypeError for a decision that is neither an id nor a response */
export async function tenantOfSender(request: Request, decide: DecideTenant): Promise<string | Response> {
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
