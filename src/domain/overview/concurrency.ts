import { QUARTER_MS, type SessionFacts } from "../facts/session-facts.js";
import { formatInstant } from "../trace/instant.js";
import type { Concurrency } from "./overview.js";

const MINUTES = 15;
const MINUTE_MS = QUARTER_MS / MINUTES;
const MOST_POINTS = 200;

interface Quarter {
  /** One element per minute. */
  readonly sessions: Uint32Array;
  agents: number;
}

export class ConcurrencyCount {
  readonly #quarters = new Map<number, Quarter>();

  add({ activity }: SessionFacts, isNow: (at: number) => boolean | undefined): void {
    for (const [i, at] of activity.quarter.entries()) {
      if (isNow(at * QUARTER_MS) !== true) continue;
      const quarter = this.#quarters.get(at) ?? { sessions: new Uint32Array(MINUTES), agents: 0 };
      this.#quarters.set(at, quarter);
      const mask = activity.minutes[i] ?? 0;
      for (let minute = 0; minute < MINUTES; minute++) {
        if ((mask & (1 << minute)) !== 0) quarter.sessions[minute]!++;
      }
      quarter.agents += activity.agents[i] ?? 0;
    }
  }

  result(): Concurrency {
    const quarters = [...this.#quarters].sort(([a], [b]) => a - b);
    const [first] = quarters[0] ?? [0];
    const [last] = quarters.at(-1) ?? [0];
    const perPoint = Math.max(1, Math.ceil((last - first + 1) / MOST_POINTS));
    const points = new Map<number, { sessions: number; agents: number }>();
    let peak: { readonly sessions: number; readonly at: number } | undefined;
    let peakAgents = 0;
    for (const [at, { sessions, agents }] of quarters) {
      const most = Math.max(...sessions);
      if (most > (peak?.sessions ?? 0))
        peak = { sessions: most, at: at * QUARTER_MS + sessions.indexOf(most) * MINUTE_MS };
      peakAgents = Math.max(peakAgents, agents);
      const begin = first + Math.floor((at - first) / perPoint) * perPoint;
      const point = points.get(begin) ?? { sessions: 0, agents: 0 };
      points.set(begin, {
        sessions: Math.max(point.sessions, most),
        agents: Math.max(point.agents, agents),
      });
    }
    return {
      peakSessions: peak?.sessions ?? 0,
      peakAgents,
      ...(peak === undefined ? {} : { peakAt: formatInstant(peak.at) }),
      pointMs: perPoint * QUARTER_MS,
      points: [...points].map(([at, point]) => ({ at: formatInstant(at * QUARTER_MS), ...point })),
    };
  }
}
