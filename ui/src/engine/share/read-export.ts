import { isJsonObject } from "../../../../src/domain/json/json.js";
import { ApiError, type ApiProblem } from "../../api/api-problem.js";
import type { AnswerAt, QueryAt } from "../../api/endpoint-address.js";
import { request } from "../../api/request.js";

const EXPORT = "/sessions/{sessionId}/export";
const FINDINGS = "/sessions/{sessionId}/findings";

export type SessionFindings = AnswerAt<typeof FINDINGS>;
export type ExportFinding = SessionFindings["findings"][number];
export type ExportQuery = QueryAt<typeof EXPORT>;

type Failed = { readonly problem: ApiProblem };

export type ReadReview = { readonly review: SessionFindings } | Failed;

/** `removed` counts different values. */
export type ReadPrompt = { readonly text: string; readonly removed: number } | Failed;

export async function readReview(
  base: string,
  query: QueryAt<typeof FINDINGS>,
  signal: AbortSignal,
): Promise<ReadReview> {
  return orProblem(async () => {
    const answer: unknown = await (await request(base, FINDINGS, query, { signal })).json();
    if (isReview(answer)) return { review: answer };
    throw new TypeError('the answer has no "findings"');
  });
}

export async function readPrompt(base: string, query: Omit<ExportQuery, "format">): Promise<ReadPrompt> {
  return orProblem(async () => {
    const response = await request(base, EXPORT, { ...query, format: "prompt" });
    const removed = Number(response.headers.get("Redacted-Values") ?? Number.NaN);
    if (!Number.isInteger(removed)) throw new TypeError("the answer does not say what was removed");
    return { text: await response.text(), removed };
  });
}

/** `undefined` if writing starts. The browser saves the file. */
export async function exportProblem(base: string, query: ExportQuery): Promise<ApiProblem | undefined> {
  const answer = await orProblem(async () => {
    const { body } = await request(base, EXPORT, query);
    body?.cancel().catch(() => undefined);
    return {};
  });
  return "problem" in answer ? answer.problem : undefined;
}

async function orProblem<T>(read: () => Promise<T>): Promise<T | Failed> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.problem };
    return { problem: { kind: "broken", status: undefined, detail: String(error) } };
  }
}

function isReview(answer: unknown): answer is SessionFindings {
  return isJsonObject(answer) && Array.isArray(answer.findings) && answer.findings.every(isJsonObject);
}
