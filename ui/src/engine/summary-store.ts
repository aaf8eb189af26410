import type { SessionSummary } from "../../../src/domain/analysis/session-summary.js";
import { isJsonObject } from "../../../src/domain/json.js";
import { ApiError, type ApiProblem } from "../api/api-problem.js";
import { sessionSummaryAddress } from "../api/endpoints.js";
import { request } from "../api/request.js";
import type { SessionRef } from "../model/address.js";

export interface SummaryState {
  readonly summary: SessionSummary | undefined;
  /** What went wrong when it was asked for last. The summary is then that of before. */
  readonly problem: ApiProblem | undefined;
}

/** The summary of the session that was asked for last; it is sent again only where it has changed. */
export class SummaryStore {
  readonly #base: string;
  #ref: string | undefined;
  #etag: string | undefined;
  #summary: SessionSummary | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  async read(session: SessionRef): Promise<SummaryState> {
    const ref = JSON.stringify(session);
    if (ref !== this.#ref) {
      this.#ref = ref;
      this.#etag = undefined;
      this.#summary = undefined;
    }
    try {
      const response = await request(sessionSummaryAddress(this.#base, session), { etag: this.#etag });
      const answer: unknown = response.status === 304 ? this.#summary : await response.json();
      // Another session may have been asked for meanwhile.
      if (ref !== this.#ref) return { summary: answer as SessionSummary, problem: undefined };
      if (!isSummary(answer)) throw new TypeError('the answer has no "counts" and "context"');
      this.#summary = answer;
      this.#etag = response.headers.get("etag") ?? undefined;
      return { summary: answer, problem: undefined };
    } catch (error) {
      return { summary: this.#summary, problem: problemOf(error) };
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
