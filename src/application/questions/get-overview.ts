import { QUARTER_MS } from "../../domain/facts/session-facts.js";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { answeringAtOnce } from "../../domain/options/host-functions.js";
import { FUNCTION, kindOf } from "../../domain/options/option-kinds.js";
import type { Grouping, Overview, Stacking } from "../../domain/overview/overview.js";
import { OverviewBuilder } from "../../domain/overview/overview-builder.js";
import { type OverviewScope, overviewNeedsFrom } from "../../domain/overview/overview-scope.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { instantOf, type TimeZone } from "../../domain/trace/time-zone.js";
import { InvalidRequestError } from "../errors.js";
import { FilteredSessions } from "../listing/filtered-sessions.js";
import { filterOf, zoneOf } from "../listing/filters.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import { CallPricing } from "../pricing/call-pricing.js";
import { RatesByDay } from "../pricing/rates-by-day.js";
import { lift } from "../sources/lift.js";
import { scope, type TenantScope } from "../sources/scope.js";
import { runInSlices } from "../threads/slices.js";

export interface OverviewRequest {
  readonly tenantId?: string | undefined;
  readonly filter?: string | undefined;
  /** In the syntax of a filter after `after:`. Default is the first recorded instant. */
  readonly from?: string | undefined;
  /** Exclusive. Default is now. */
  readonly to?: string | undefined;
  /** Default is that of the process. */
  readonly zone?: string | undefined;
  readonly by?: Grouping | undefined;
  readonly stack?: Stacking | undefined;
  /** Sums contain only sessions of these tenants. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

export interface OverviewParts {
  readonly pricing?: CallPricing | undefined;
  readonly filtered?: FilteredSessions | undefined;
  /** Milliseconds since the epoch. Default is the system's clock. */
  readonly now?: (() => number) | undefined;
}

const OVERVIEW_PARTS = {
  pricing: kindOf("a CallPricing", (value) => value instanceof CallPricing),
  filtered: kindOf("a FilteredSessions", (value) => value instanceof FilteredSessions),
  now: FUNCTION,
} satisfies OptionTable<OverviewParts>;

/**
 * Adds up the activity and the cost of many sessions. An answer is partial after a time limit: each request continues the reading, so a
 * repeated request returns the rest.
 */
export class GetOverview {
  readonly #source: SessionSource;
  readonly #filtered: FilteredSessions;
  readonly #rates: RatesByDay;
  readonly #now: () => number;

  /** @throws TypeError for an unknown part, or one of another kind */
  constructor(source: InspectorDataSource, parts: OverviewParts = {}) {
    const { pricing, filtered, now = Date.now } = checkOptions(OVERVIEW_PARTS, parts);
    this.#source = lift(source);
    this.#filtered = filtered ?? new FilteredSessions();
    this.#rates = new RatesByDay(pricing);
    this.#now = answeringAtOnce("now", now);
  }

  /** @throws InvalidRequestError for an invalid filter, time zone or instant, and for a range that ends before it begins */
  async execute(request: OverviewRequest = {}, options: ReadOptions = {}): Promise<Overview> {
    const { tenantId, filter: text = "", tenants = "all" } = request;
    const now = this.#now();
    const zone = zoneOf(request.zone);
    const filter = filterOf(text, zone, now);
    const range = rangeOf(request, zone, now);
    const search = { tenantId, filter, withFacts: true, activeFrom: overviewNeedsFrom(range) };
    const sessions = await this.#filtered.find(scope(this.#source, tenants), search, options);
    const ratesAt = await this.#rates.of(sessions.items, options);
    const builder = new OverviewBuilder(range, ratesAt);
    await runInSlices(addAll(builder, sessions.items), options.signal);
    const { unread = 0, undecided, warnings = [] } = sessions;
    const overview = builder.result();
    return {
      ...overview,
      coverage: { ...overview.coverage, unread, undecided },
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }
}

function rangeOf(
  { from, to, by = "day", stack = "model" }: OverviewRequest,
  zone: TimeZone,
  now: number,
): OverviewScope {
  const instant = (name: "from" | "to", text: string) => {
    const at = instantOf(text, now, zone);
    if (at !== undefined) return at;
    throw new InvalidRequestError(
      name,
      "must be a date, such as 2026-11-01, or a time before now, such as 7d.",
    );
  };
  const begin = from === undefined ? undefined : instant("from", from);
  const end = to === undefined ? now : instant("to", to);
  if (begin !== undefined && begin >= end)
    throw new InvalidRequestError("from", "must lie before the end of the range.");
  return {
    from: begin && Math.floor(begin / QUARTER_MS) * QUARTER_MS,
    to: Math.ceil(end / QUARTER_MS) * QUARTER_MS,
    now,
    zone,
    by,
    stack,
  };
}

function* addAll(builder: OverviewBuilder, sessions: readonly ListedSession[]): Generator<void, void> {
  for (const session of sessions) {
    builder.add(session);
    yield;
  }
}
