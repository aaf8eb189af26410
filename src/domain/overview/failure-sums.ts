import type { SessionFacts } from "../facts/session-facts.js";
import { exactTerm } from "../filter/filter-text.js";
import type { SessionKey } from "../session/session-key.js";
import { formatInstant } from "../trace/instant.js";
import type { FailureGroup } from "./overview.js";
import { Groups } from "./usage-sum.js";

class FailureSum {
  count = 0;
  sessions = 0;
  firstAt = Number.POSITIVE_INFINITY;
  lastAt = Number.NEGATIVE_INFINITY;
  last: SessionKey = { tenantId: "", sessionId: "" };
  lastSession: object | undefined;
}

export class FailureSums {
  readonly #sums = new Groups(() => new FailureSum());

  add(session: SessionKey, facts: SessionFacts, isNow: (at: number) => boolean | undefined): void {
    const { failures, causes, tools } = facts;
    for (const [i, firstAt] of failures.firstAt.entries()) {
      const lastAt = failures.lastAt[i] ?? firstAt;
      if (isNow(lastAt) !== true) continue;
      const tool = failures.tool[i]! < 0 ? null : (tools[failures.tool[i]!] ?? "");
      const sum = this.#sums.get(JSON.stringify([causes[failures.cause[i]!] ?? "", tool]));
      sum.count += failures.count[i] ?? 0;
      if (sum.lastSession !== facts) sum.sessions++;
      sum.lastSession = facts;
      sum.firstAt = Math.min(sum.firstAt, firstAt);
      if (lastAt > sum.lastAt) {
        sum.lastAt = lastAt;
        sum.last = { tenantId: session.tenantId, sessionId: session.sessionId };
      }
    }
  }

  /** Most failures first. */
  result(): FailureGroup[] {
    return this.#sums.entries
      .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
      .map(([key, { count, sessions, firstAt, lastAt, last }]) => {
        const [cause, tool] = JSON.parse(key) as [string, string | null];
        return {
          cause,
          ...(cause === "" ? {} : { filter: exactTerm("error", cause) }),
          ...(tool === null ? {} : { tool }),
          count,
          sessions,
          firstAt: formatInstant(firstAt),
          lastAt: formatInstant(lastAt),
          last,
        };
      });
  }
}
