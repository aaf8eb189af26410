import { checkScope, type InspectorAccess } from "./scope.js";

/**
 * Says for a request whose sessions its caller may touch, at once or later, or gives a `Response` that is sent in the place of an answer.
 * `Caller` is what it is asked of.
 */
export type AccessDecision<Caller> = (
  caller: Caller,
) => InspectorAccess | Response | Promise<InspectorAccess | Response>;

/** @throws TypeError for a decision that is neither a scope nor a response */
export async function accessOf<Caller>(
  caller: Caller,
  decide: AccessDecision<Caller>,
): Promise<InspectorAccess | Response> {
  const decision: unknown = await decide(caller);
  if (isResponse(decision)) return decision;
  const { tenants } = Object(decision) as InspectorAccess;
  checkScope(tenants);
  return { tenants };
}

/** A server may put a class of its own in the place of `Response`: what `fetch` gives is no instance of that one. */
function isResponse(decision: unknown): decision is Response {
  return decision instanceof Response || Object.prototype.toString.call(decision) === "[object Response]";
}
