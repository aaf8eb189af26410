import { checkScope, type InspectorAccess } from "./scope.js";

/**
 * Decides for a request whose sessions its caller may access, at once or later. It may instead return a `Response`, which is sent as the
 * answer. `Caller` is its input.
 */
export type AccessDecision<Caller> = (
  caller: Caller,
) => InspectorAccess | Response | Promise<InspectorAccess | Response>;

/** A decision that did not come in time: nothing may be accessed. */
export class LateDecisionError extends Error {
  override readonly name = "LateDecisionError";

  constructor(limitMs: number) {
    super(
      `\`access\` did not decide within ${limitMs / 1_000} s. Find out what it waits for, or raise \`timeoutMs\`.`,
    );
  }
}

/**
 * The decision on a request. A scope is copied, so that it stays the same while the request is answered.
 *
 * @param limitMs how long the decision may take, in milliseconds; from 1 to 2147483647, or `Infinity`. One that comes later has no effect
 * @throws LateDecisionError where the decision takes longer
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
    timer.unref?.(); // a number in runtimes that are like browsers
  });
  try {
    // A race handles both rejections: one that comes later is not unhandled.
    return await Promise.race([decision, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A server may replace the class `Response`: the result of `fetch` is then not an instance of it. */
function isResponse(decision: unknown): decision is Response {
  return decision instanceof Response || Object.prototype.toString.call(decision) === "[object Response]";
}
