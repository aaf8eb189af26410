import { QUARTER_MS } from "../facts/session-facts.js";
import type { TextField } from "../filter/session-filter.js";
import type { ListedSession } from "../session/model-usage.js";
import { formatInstant } from "../trace/instant.js";
import { type Cost, NO_COST } from "../usage/money.js";
import { NO_USAGE } from "../usage/token-usage.js";
import { namedTotals, projectOf } from "./named-sums.js";
import { MOST_ROWS, type OverviewRow, type RowPart, type Stacking, type ToolTotals } from "./overview.js";
import type { OverviewScope } from "./overview-scope.js";
import { isTime, type TimeBucket, timeBuckets } from "./time-buckets.js";
import { tokensIn, type UsedTokens } from "./usage-rows.js";
import { byCost, Groups, UsageSum } from "./usage-sum.js";

const MOST_PARTS = 8;
const OTHERS = "…";

class PartSum {
  usd = 0;
  tokens = 0;
  sessions = 0;
  last: object | undefined;
}

class RowSum {
  readonly totals = new UsageSum();
  readonly parts = new Groups(() => new PartSum());
}

export class RowSums {
  readonly #scope: OverviewScope;
  readonly #rows = new Groups(() => new RowSum());
  readonly #buckets: TimeBucket[] = [];
  #last: TimeBucket | undefined;
  #first = Number.POSITIVE_INFINITY;

  constructor(scope: OverviewScope) {
    this.#scope = scope;
  }

  /** @param at start of its quarter hour */
  addRow(session: ListedSession, row: UsedTokens, at: number, cost: Cost): void {
    const { totals, parts } = this.#rowOf(session, at, row);
    totals.of(session).addRow(row, cost);
    const part = parts.get(partNameOf(this.#scope.stack, session, row));
    if (part.last !== session) part.sessions++;
    part.last = session;
    part.usd += cost.usd;
    part.tokens += tokensIn(row);
  }

  addMinutes(session: ListedSession, quarter: number, minutes: number): void {
    if (this.#scope.by !== "model")
      this.#rowOf(session, quarter * QUARTER_MS)
        .totals.of(session)
        .addMinutes(quarter, minutes);
  }

  addTools(session: ListedSession, quarter: number, calls: number, failures: number): void {
    if (this.#scope.by !== "model")
      this.#rowOf(session, quarter * QUARTER_MS)
        .totals.of(session)
        .addTools(calls, failures);
  }

  touch(session: ListedSession, at: number): void {
    if (this.#scope.by !== "model") this.#rowOf(session, at).totals.of(session);
  }

  result(): OverviewRow[] {
    const { by } = this.#scope;
    return isTime(by) ? this.#timeRows() : this.#namedRows();
  }

  /** The tokens of a tool are those of its results in contexts. */
  ofTools(tools: readonly ToolTotals[]): OverviewRow[] {
    return tools.map(({ name, filter, sessions, carriedTokens, carriedUsd = 0, calls, failures }) => ({
      name,
      ...(filter === undefined ? {} : { filter }),
      sessions,
      cost: { ...NO_COST, usd: carriedUsd },
      usage: NO_USAGE,
      tokens: carriedTokens,
      modelCalls: 0,
      failedModelCalls: 0,
      toolCalls: calls,
      failedToolCalls: failures,
      parts: [],
    }));
  }

  #rowOf(session: ListedSession, at: number, row?: UsedTokens): RowSum {
    const { by } = this.#scope;
    if (!isTime(by)) return this.#rows.get(nameOf(by, session, row));
    const bucket = this.#bucketOf(at);
    return this.#rows.get(String(bucket.from));
  }

  /** Cached, because most instants lie in the bucket of the previous one. */
  #bucketOf(at: number): TimeBucket {
    const { by, zone } = this.#scope;
    this.#first = Math.min(this.#first, at);
    const isIn = ({ from, to }: TimeBucket) => from <= at && at < to;
    if (this.#last !== undefined && isIn(this.#last)) return this.#last;
    let bucket = this.#buckets.find(isIn);
    if (bucket === undefined) {
      bucket = timeBuckets(by as "day", at, at + 1, zone)![0]!;
      this.#buckets.push(bucket);
    }
    this.#last = bucket;
    return bucket;
  }

  #timeRows(): OverviewRow[] {
    const { by, from, to, zone } = this.#scope;
    const begin = from ?? this.#first;
    if (!isTime(by) || !Number.isFinite(begin)) return [];
    // Too many buckets: only those with activity.
    const buckets = timeBuckets(by, begin, to, zone) ?? this.#filledBuckets();
    return buckets.map((bucket) => {
      const { totals, parts } = this.#rows.find(String(bucket.from)) ?? new RowSum();
      return {
        name: bucket.name,
        from: formatInstant(bucket.from),
        to: formatInstant(bucket.to),
        ...totals.result(),
        parts: partsOf(parts),
      };
    });
  }

  #filledBuckets(): readonly TimeBucket[] {
    return this.#buckets.toSorted((a, b) => a.from - b.from).slice(-MOST_ROWS);
  }

  #namedRows(): OverviewRow[] {
    const { by } = this.#scope;
    const sorted = this.#rows.entries.sort(([a, one], [b, other]) =>
      byCost([a, one.totals], [b, other.totals]),
    );
    const field = FIELDS[by as keyof typeof FIELDS];
    return sorted.slice(0, MOST_ROWS).map(([name, { totals, parts }]) => ({
      ...namedTotals(name, field, totals, by === "model"),
      parts: partsOf(parts),
    }));
  }
}

const FIELDS = {
  project: "tenant",
  tenant: "tenant",
  model: "model",
  user: "user",
  source: "source",
} as const satisfies Readonly<Record<string, TextField>>;

function nameOf(by: OverviewScope["by"], session: ListedSession, row: UsedTokens | undefined): string {
  switch (by) {
    case "project":
      return projectOf(session);
    case "tenant":
      return session.tenantId;
    case "user":
      return session.userId;
    case "source":
      return session.source ?? "";
    case "model":
      return row?.model ?? "";
    default:
      return "";
  }
}

function partNameOf(stack: Stacking, session: ListedSession, row: UsedTokens): string {
  switch (stack) {
    case "model":
      return row.model;
    case "project":
      return projectOf(session);
    case "source":
      return session.source ?? "";
    default:
      return stack satisfies never;
  }
}

function partsOf(parts: Groups<PartSum>): RowPart[] {
  const sorted = parts.entries
    .map(([name, { usd, tokens, sessions }]) => ({ name, usd, tokens, sessions }))
    .sort((a, b) => b.usd - a.usd || b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
  if (sorted.length <= MOST_PARTS) return sorted;
  const rest = sorted.slice(MOST_PARTS - 1);
  const sum = (of: (part: RowPart) => number) => rest.reduce((all, part) => all + of(part), 0);
  const others = {
    name: OTHERS,
    usd: sum(({ usd }) => usd),
    tokens: sum(({ tokens }) => tokens),
    sessions: sum(({ sessions }) => sessions),
  };
  return [...sorted.slice(0, MOST_PARTS - 1), others];
}
