import type { SessionComparison } from "../../../src/domain/analysis/session-comparison.js";
import { isJsonObject } from "../../../src/domain/json/json.js";
import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import { ApiError, type ApiProblem } from "../api/api-problem.js";
import { request } from "../api/request.js";
import type { SessionRef } from "../model/address.js";
import { findSessionItem } from "./find-sessions.js";

type Two<T> = readonly [T, T];

/** Two sessions side by side, or why they cannot be shown. */
export type ReadComparison =
  | {
      readonly comparison: SessionComparison;
      /** What the session list says of each, where it can be read. */
      readonly items: Two<InspectorSessionItem | undefined>;
    }
  | { readonly problem: ApiProblem };

export async function readComparison(
  base: string,
  one: SessionRef,
  other: SessionRef,
): Promise<ReadComparison> {
  try {
    const [comparison, ...items] = await Promise.all([
      fetchComparison(base, one, other),
      findSessionItem(base, one),
      findSessionItem(base, other),
    ]);
    return { comparison, items };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.problem };
    throw error;
  }
}

/** @throws ApiError */
async function fetchComparison(
  base: string,
  { tenantId, sessionId }: SessionRef,
  other: SessionRef,
): Promise<SessionComparison> {
  const query = { tenantId, sessionId, otherTenantId: other.tenantId, otherSessionId: other.sessionId };
  const response = await request(base, "/compare", query);
  const { status } = response;
  const broken = (detail: string, cause?: unknown) =>
    new ApiError({ kind: "broken", status, detail }, { cause });
  const answer: unknown = await response.json().catch((error: unknown) => {
    throw broken(String(error), error);
  });
  if (!isJsonObject(answer) || !Array.isArray(answer.sessions)) throw broken("no sessions in the answer");
  return answer as unknown as SessionComparison;
}
