import { checkScope, type InspectorAccess } from "./scope.js";

/** Decides, at once or later, on the sessions that a caller may access. A `Response` becomes the answer. */
export type AccessDecision<Caller> = (
  caller: Caller,
) => InspectorAccess | Response | Promise<InspectorAccess | Response>;

/** A late decision: nothing may be accessed. */
export class LateDecisionError extends Error {
  override readonly name = "LateDecisionError";

  constructor(limitMs: number) {
    super(
      `\`access\` did not decide within ${limitMs / 1_000} s. Find out what it waits for, or raise \`timeoutMs\`.`,
    );
  }
}

/**
 * Copies the scope, so that it stays the same during the request.
 * @param limitMs in milliseconds, from 1 to 2147483647, or `Infinity`; a later decision has no effect
 * @throws LateDecisionError after the limit
 * @throws TypeError for a decision that is neither a scope nor a response
 */
export async function accessOf<Caller>(
  caller: Caller,
  decide: AccessDecision<Caller>,
  limitMs: number,
): Promise<InspectorAccess | Response> {
  const decision: unknown = await within(limitMs, async () => decide(caller));
  if (isResponse(decision)) return decision;
  const { tenants: decided } = Object(decision) as InspectorAccess;
  const tenants = Array.isArray(decided) ? [...decided] : decided;
  checkScope(tenants);
  return { tenants };
}

async function within<T>(limitMs: number, decide: () => Promise<T>): Promise<T> {
  const decision = decide();
  if (limitMs === Number.POSITIVE_INFINITY) return decision;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateDecisionError(limitMs)), limitMs);
    timer.unref?.(); // In browser-like runtimes it is a number.
  });
  try {
    // A race handles both rejections: a later one is not unhandled.
    return await Promise.race([decision, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A server may replace the class `Response`, so `fetch` may return another class. */
function isResponse(decision: unknown): decision is Response {
  return decision instanceof Response || Object.prototype.toString.call(decision) === "[object Response]";
}
