import type { LinesExplained } from "../../../../src/domain/changes/line-explanation.js";
import { isJsonObject } from "../../../../src/domain/json/json.js";
import { ApiError, type ApiProblem } from "../../api/api-problem.js";
import type { QueryAt } from "../../api/endpoint-address.js";
import { request } from "../../api/request.js";

export type WhyQuery = QueryAt<"/why">;

export type ReadWhy = { readonly explained: LinesExplained } | { readonly problem: ApiProblem };

export async function readWhy(base: string, query: WhyQuery, signal: AbortSignal): Promise<ReadWhy> {
  try {
    const answer: unknown = await (await request(base, "/why", query, { signal })).json();
    if (!isExplained(answer)) throw new TypeError('the answer has no "blocks"');
    return { explained: answer };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.problem };
    return { problem: { kind: "broken", status: undefined, detail: String(error) } };
  }
}

function isExplained(answer: unknown): answer is LinesExplained {
  return (
    isJsonObject(answer) &&
    Array.isArray(answer.blocks) &&
    answer.blocks.every(isJsonObject) &&
    isJsonObject(answer.coverage)
  );
}
