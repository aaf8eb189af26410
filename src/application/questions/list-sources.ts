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

/** Milliseconds that an answer spends on unread histories. */
const BUDGET_MS = 300;

/**
 * Lists the sources of histories and their retention. After a time limit the answer contains the present results, and states if they are
 * complete. Each request continues the reading, so a repeated request returns the rest.
 */
export class ListSources {
  readonly #source: SessionSource;
  readonly #budgetMs: number;

  /** @param budgetMs time limit of an answer. Default is 300 */
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
