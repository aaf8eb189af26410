import { isJsonObject } from "../../../../src/domain/json/json.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import { ApiError, type ApiProblem } from "../../api/api-problem.js";
import { request } from "../../api/request.js";

export interface SummaryState {
  readonly summary: SessionSummary | undefined;
  /** After a failure, the summary is the previous one. */
  readonly problem: ApiProblem | undefined;
}

interface CachedSummary {
  readonly of: string;
  readonly etag: string | undefined;
  readonly summary: SessionSummary;
}

/** Caches the latest summary; the service sends it again only after a change. */
export class SummaryStore {
  readonly #base: string;
  #cached: CachedSummary | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  async read(session: SessionKey): Promise<SummaryState> {
    const of = JSON.stringify(session);
    const cached = this.#cached?.of === of ? this.#cached : undefined;
    try {
      const response = await request(this.#base, "/sessions/{sessionId}/summary", session, {
        etag: cached?.etag,
      });
      if (cached !== undefined && response.status === 304)
        return { summary: cached.summary, problem: undefined };
      const answer: unknown = await response.json();
      if (!isSummary(answer)) throw new TypeError('the answer has no "counts" and "context"');
      this.#cached = { of, etag: response.headers.get("etag") ?? undefined, summary: answer };
      return { summary: answer, problem: undefined };
    } catch (error) {
      return { summary: cached?.summary, problem: problemOf(error) };
    }
  }
}

function isSummary(answer: unknown): answer is SessionSummary {
  return isJsonObject(answer) && isJsonObject(answer.counts) && isJsonObject(answer.context);
}

function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiError) return error.problem;
  return { kind: "broken", status: undefined, detail: String(error) };
}
