import type { SourceReport } from "../../domain/session/source-report.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import { lift } from "../sources/lift.js";
import { scope, type TenantScope } from "../sources/scope.js";
import { reportOf } from "../sources/source-reports.js";

export interface SourcesRequest {
  /** Figures contain only sessions of these tenants. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
  /** `"due"` reads only sources whose tool deletes sessions by itself. Default is all. */
  readonly only?: "due" | undefined;
}

export interface SourceList {
  readonly sources: readonly SourceReport[];
}

const BUDGET_MS = 300;

/**
 * Lists the sources of histories and their retention. An answer is partial after a time limit: each request continues the reading, so a
 * repeated request returns the rest.
 */
export class ListSources {
  readonly #source: SessionSource;
  readonly #budgetMs: number;

  /** @param budgetMs time limit of an answer. Default is 300 */
  constructor(source: InspectorDataSource, budgetMs: number = BUDGET_MS) {
    this.#source = lift(source);
    this.#budgetMs = budgetMs;
  }

  /** @throws SourceContractError if the source violates its contract */
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
