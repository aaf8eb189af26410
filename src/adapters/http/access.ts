import type { Context } from "hono";
import { checkScope, type InspectorAccess } from "../../application/sources/scope.js";

/**
 * Decides what the caller may see, before anything is read: a scope, or a `Response` that is sent in the place of an answer.
 * It is asked once for every request below the mount, also for `/health`, for unknown paths and for other methods than GET.
 * Where it throws or gives anything else, the answer is 500 and shows nothing.
 */
export type DecideAccess = (c: Context) => InspectorAccess | Response | Promise<InspectorAccess | Response>;

/** @throws TypeError for a decision that is neither a scope nor a response */
export async function accessOf(c: Context, decide: DecideAccess): Promise<InspectorAccess | Response> {
  const decision: unknown = await decide(c);
  if (isResponse(decision)) return decision;
  const { tenants } = Object(decision) as InspectorAccess;
  checkScope(tenants);
  return { tenants };
}

/** A server may put a class of its own in the place of `Response`: what `fetch` gives is no instance of that one. */
function isResponse(decision: unknown): decision is Response {
  return decision instanceof Response || Object.prototype.toString.call(decision) === "[object Response]";
}
