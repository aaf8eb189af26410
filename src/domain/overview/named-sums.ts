import { exactTerm } from "../filter/filter-text.js";
import type { TextField } from "../filter/session-filter.js";
import type { ListedSession } from "../session/model-usage.js";
import { MOST_LISTED_ROWS, type NamedTotals } from "./overview.js";
import type { UsedTokens } from "./usage-rows.js";
import { byCost, Groups, UsageSum } from "./usage-sum.js";

export function projectOf({ directory, tenantId }: ListedSession): string {
  return directory ?? tenantId;
}

export class NamedSums {
  readonly #projects = new Groups(() => new UsageSum());
  readonly #users = new Groups(() => new UsageSum());
  readonly #sources = new Groups(() => new UsageSum());
  readonly #models = new Groups(() => new UsageSum());
  readonly #roles = new Groups(() => new UsageSum());

  sumsOf(session: ListedSession): readonly UsageSum[] {
    return [
      this.#projects.get(projectOf(session)),
      this.#users.get(session.userId),
      this.#sources.get(session.source ?? ""),
    ];
  }

  sumsOfCalls({ model, role }: UsedTokens): readonly UsageSum[] {
    return [this.#models.get(model), this.#roles.get(role)];
  }

  result(): {
    readonly [Name in "projects" | "users" | "sources" | "models" | "roles"]: readonly NamedTotals[];
  } {
    return {
      projects: listed(this.#projects, "tenant"),
      users: listed(this.#users, "user"),
      sources: listed(this.#sources, "source"),
      models: listed(this.#models, "model", true),
      roles: listed(this.#roles, "role", true),
    };
  }
}

function listed(groups: Groups<UsageSum>, field: TextField, isOfCalls = false): readonly NamedTotals[] {
  return groups.entries
    .sort(byCost)
    .slice(0, MOST_LISTED_ROWS)
    .map(([name, totals]) => namedTotals(name, field, totals, isOfCalls));
}

/** @param field the filter field that selects these names */
export function namedTotals(
  name: string,
  field: TextField,
  totals: UsageSum,
  isOfCalls: boolean,
): NamedTotals {
  const hasFilter = name !== "" || field === "user";
  return { name, ...(hasFilter ? { filter: exactTerm(field, name) } : {}), ...totals.result(isOfCalls) };
}
