import type { QueryOf } from "../../../../src/application/questions/endpoints.js";
import { isJsonObject } from "../../../../src/domain/json/json.js";
import type { Overview } from "../../../../src/domain/overview/overview.js";
import { ApiError, type ApiProblem } from "../../api/api-problem.js";
import { request } from "../../api/request.js";

export type OverviewQuestion = QueryOf<"getOverview">;

export type OverviewRead = { readonly overview: Overview } | { readonly problem: ApiProblem };

/** @returns `undefined` if another request replaced this one */
export async function readOverview(
  base: string,
  query: OverviewQuestion,
  signal: AbortSignal,
): Promise<OverviewRead | undefined> {
  try {
    const response = await request(base, "/overview", query, { signal });
    const answer: unknown = await response.json();
    if (!isOverview(answer)) throw new TypeError("the answer is no overview");
    return { overview: answer };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof ApiError) return { problem: error.problem };
    return { problem: { kind: "broken", status: undefined, detail: String(error) } };
  }
}

const OBJECTS = ["range", "coverage", "total", "concurrency"] as const;
const LISTS = [
  "rows",
  "projects",
  "models",
  "users",
  "sources",
  "roles",
  "tools",
  "failures",
  "largestSessions",
  "largestCalls",
] as const;

function isOverview(answer: unknown): answer is Overview {
  return (
    isJsonObject(answer) &&
    OBJECTS.every((name) => isJsonObject(answer[name])) &&
    LISTS.every((name) => Array.isArray(answer[name]))
  );
}
