import { type Span, walkSpans } from "../../../domain/spans/span.js";

export interface PlannedTrajectory {
  /** `""` for the main agent. */
  readonly agentId: string;
  /** Only for a sub-agent whose beginning is recorded. */
  readonly agent: Span | undefined;
  /** Trace order. */
  readonly steps: Span[];
  readonly agents: PlannedTrajectory[];
}

export interface TrajectoryPlan {
  readonly main: PlannedTrajectory;
  /** By the tool call that started them. */
  readonly startedBy: ReadonlyMap<Span, readonly PlannedTrajectory[]>;
}

/** Readers of trajectories are recursive: deeper ones are embedded at this level. */
const DEEPEST = 4;

export function planTrajectories(roots: readonly Span[]): TrajectoryPlan {
  const spans: Span[] = [];
  walkSpans(roots, (span) => spans.push(span));
  const requested = new Set(spans.flatMap(({ calls = [] }) => calls));
  const planned = new Map<string, PlannedTrajectory>();
  const of = (agentId: string, agent?: Span): PlannedTrajectory => {
    const trajectory = planned.get(agentId) ?? { agentId, agent, steps: [], agents: [] };
    planned.set(agentId, trajectory);
    return trajectory;
  };
  const main = of("");
  for (const span of spans) if (span.kind === "agent" && span.start.phase === "start") of(span.agentId, span);
  for (const span of spans) if (isStep(span, requested)) of(span.agentId).steps.push(span);
  const startedBy = new Map<Span, PlannedTrajectory[]>();
  const depths = new Map<PlannedTrajectory, number>([[main, 0]]);
  for (const trajectory of planned.values()) {
    trajectory.steps.sort((a, b) => a.start.index - b.start.index);
    if (trajectory === main) continue;
    let parent = of(parentOf(trajectory.agent));
    if (!depths.has(parent) || depths.get(parent) === DEEPEST) parent = main;
    depths.set(trajectory, depths.get(parent)! + 1);
    parent.agents.push(trajectory);
    const call = callOf(trajectory.agent);
    if (call === undefined || call.agentId !== parent.agentId) continue;
    startedBy.set(call, [...(startedBy.get(call) ?? []), trajectory]);
  }
  return { main, startedBy };
}

function isStep(span: Span, requested: ReadonlySet<Span>): boolean {
  const { kind, start, parent } = span;
  switch (kind) {
    case "turn":
      return start.phase === "start";
    case "error":
    case "input":
      return true;
    case "compaction":
    case "llm":
      return start.phase !== "point";
    // The step of the model includes the tool calls that it requested, and its text.
    case "tool":
      return start.phase !== "point" && !requested.has(span);
    case "text":
      return parent?.kind !== "llm" && !span.start.isEmpty;
    default:
      return false;
  }
}

function parentOf(agent: Span | undefined): string {
  return agent?.parent?.agentId ?? "";
}

function callOf(agent: Span | undefined): Span | undefined {
  for (let at = agent?.parent; at !== undefined; at = at.parent) if (at.kind === "tool") return at;
  return undefined;
}
