import { isJsonObject } from "../../../../src/domain/json/json.js";
import type { SourceReport } from "../../../../src/domain/session/source-report.js";
import { ApiError, type ApiProblem } from "../../api/api-problem.js";
import { request } from "../../api/request.js";

export type SourcesRead = { readonly sources: readonly SourceReport[] } | { readonly problem: ApiProblem };

/** @param only `"due"` for sources whose tool deletes sessions. Default is all */
export async function readSources(base: string, only?: "due"): Promise<SourcesRead> {
  try {
    const response = await request(base, "/sources", { only });
    const answer: unknown = await response.json();
    if (!isSources(answer)) throw new TypeError('the answer has no "sources"');
    return answer;
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.problem };
    return { problem: { kind: "broken", status: undefined, detail: String(error) } };
  }
}

function isSources(answer: unknown): answer is { readonly sources: readonly SourceReport[] } {
  return isJsonObject(answer) && Array.isArray(answer.sources) && answer.sources.every(isJsonObject);
}
