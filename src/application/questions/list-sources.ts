import type { SourceReport } from "../../domain/session/source-report.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import { lift } from "../sources/lift.js";
import { scope, type TenantScope } from "../sources/scope.js";
import { reportOf } from "../sources/source-reports.js";

export interface SourcesRequest {
  /** Whose sessions the caller may see: figures are of these alone. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
  /** `"due"` for sources whose tool deletes sessions by itself: no other one is read. Default is all. */
  readonly only?: "due" | undefined;
}

export interface SourceList {
  readonly sources: readonly SourceReport[];
}

/** How long an answer reads on in histories that have not been read yet. */
const BUDGET_MS = 300;

/**
 * Where the histories come from, and what becomes of them. An answer comes after a while with what is known, and says whether that is
 * all; each gets on, so that whoever asks again is told the rest.
 */
export class ListSources {
  readonly #source: SessionSource;
  readonly #budgetMs: number;

  /** @param budgetMs after about so many milliseconds an answer ends with what is known. Default is 300 */
  constructor(source: InspectorDataSource, budgetMs: number = BUDGET_MS) {
    this.#source = lift(source);
    this.#budgetMs = budgetMs;
  }

  /** @throws SourceContractError where the source gives something else than the port promises */
  async execute(
    { tenants = "all", only }: SourcesRequest = {},
    options: ReadOptions = {},
  ): Promise<SourceList> {
    const request = { onlyDue: only === "due", budgetMs: this.#budgetMs };
    const surveys = await scope(this.#source, tenants).survey(request, options);
    const wanted = surveys.filter(({ retention }) => only === undefined || retention?.rule === "deletes");
    return { sources: wanted.map(reportOf) };
  }
}
