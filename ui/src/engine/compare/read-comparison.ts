import type { SessionComparison } from "../../../../src/domain/compare/session-comparison.js";
import type { StepRow } from "../../../../src/domain/compare/step-comparison.js";
import { isJsonObject } from "../../../../src/domain/json/json.js";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import { ApiError, type ApiProblem } from "../../api/api-problem.js";
import { request } from "../../api/request.js";
import { STEP_ROWS } from "../../model/compare/step-lines.js";
import { findSessionItem } from "../sessions/find-sessions.js";

type Two<T> = readonly [T, T];

export type ReadComparison =
  | {
      readonly comparison: SessionComparison;
      readonly items: Two<InspectorSessionItem | undefined>;
    }
  | { readonly problem: ApiProblem };

export async function readComparison(
  base: string,
  one: SessionKey,
  other: SessionKey,
): Promise<ReadComparison> {
  try {
    const [comparison, ...items] = await Promise.all([
      fetchComparison(base, one, other, 0),
      findSessionItem(base, one),
      findSessionItem(base, other),
    ]);
    return { comparison, items };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.problem };
    throw error;
  }
}

/**
 * @param page of {@link STEP_ROWS} rows
 * @returns none if they cannot be read
 */
export async function readStepRows(
  base: string,
  one: SessionKey,
  other: SessionKey,
  page: number,
): Promise<readonly StepRow[]> {
  try {
    return (await fetchComparison(base, one, other, page * STEP_ROWS)).steps.rows;
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

/** @throws ApiError */
async function fetchComparison(
  base: string,
  { tenantId, sessionId }: SessionKey,
  other: SessionKey,
  row: number,
): Promise<SessionComparison> {
  const otherOne = { otherTenantId: other.tenantId, otherSessionId: other.sessionId };
  const query = { tenantId, sessionId, ...otherOne, row, limit: STEP_ROWS };
  const response = await request(base, "/compare", query);
  const { status } = response;
  const broken = (detail: string, cause?: unknown) =>
    new ApiError({ kind: "broken", status, detail }, { cause });
  const answer: unknown = await response.json().catch((error: unknown) => {
    throw broken(String(error), error);
  });
  if (!isJsonObject(answer) || !Array.isArray(answer.sessions)) throw broken("no sessions in the answer");
  if (!isJsonObject(answer.steps) || !Array.isArray(answer.steps.rows))
    throw broken("no steps in the answer");
  return answer as unknown as SessionComparison;
}
