import type { Grouping, Overview, Stacking } from "../../domain/overview/overview.js";
import type { CallPricing } from "../explain/call-pricing.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { TenantScope } from "../sources/scope.js";

/** Which sessions are added up, over which time, and how. */
export interface OverviewRequest {
  readonly tenantId?: string | undefined;
  readonly filter?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly zone?: string | undefined;
  readonly by?: Grouping | undefined;
  readonly stack?: Stacking | undefined;
  readonly tenants?: TenantScope | undefined;
}

export class GetOverview {
  constructor(_source: InspectorDataSource, _pricing?: CallPricing) {}

  async execute(_request: OverviewRequest = {}, _options: ReadOptions = {}): Promise<Overview> {
    throw new Error("The overview is not there yet.");
  }
}
