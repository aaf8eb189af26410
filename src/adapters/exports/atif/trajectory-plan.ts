import { type Span, walkSpans } from "../../../domain/spans/span.js";

/** Activity of one agent, as the spans from which steps are made. */
export interface PlannedTrajectory {
  /** `""` for the main agent. */
  readonly agentId: string;
  /** Of a sub-agent, where its beginning is recorded. */
  readonly agent: Span | undefined;
  /** In the order of the trace. */
  readonly steps: Span[];
  /** The sub-agents that this one started. */
  readonly agents: PlannedTrajectory[];
}

export interface TrajectoryPlan {
  readonly main: PlannedTrajectory;
  /** By the tool call that started them. */
  readonly startedBy: ReadonlyMap<Span, readonly PlannedTrajectory[]>;
}

/** Readers of trajectories go into those that are embedded in one another: what lies deeper is embedded at this level. */
const DEEPEST = 4;

/** Sorts the spans of a session by the agents that they are of, and by the steps that they become. */
export function planTrajectories(roots: readonly Span[]): TrajectoryPlan {
  const spans: Span[] = [];
  walkSpans(roots, (span) => spans.push(span));
  const asked = new Set(spans.flatMap(({ calls = [] }) => calls));
  const known = new Map<string, PlannedTrajectory>();
  const of = (agentId: string, agent?: Span): PlannedTrajectory => {
    const trajectory = known.get(agentId) ?? { agentId, agent, steps: [], agents: [] };
    known.set(agentId, trajectory);
    return trajectory;
  };
  const main = of("");
  for (const span of spans) if (span.kind === "agent" && span.start.phase === "start") of(span.agentId, span);
  for (const span of spans) if (isStep(span, asked)) of(span.agentId).steps.push(span);
  const startedBy = new Map<Span, PlannedTrajectory[]>();
  const depths = new Map<PlannedTrajectory, number>([[main, 0]]);
  // Agents follow the agent that contains them.
  for (const trajectory of known.values()) {
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

function isStep(span: Span, asked: ReadonlySet<Span>): boolean {
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
    // A tool call that a model requested is a part of that step, and so is the model's text.
    case "tool":
      return start.phase !== "point" && !asked.has(span);
    case "text":
      return parent?.kind !== "llm" && !span.start.isEmpty;
    default:
      return false;
  }
}

function parentOf(agent: Span | undefined): string {
  return agent?.parent?.agentId ?? "";
}

/** The tool call that an agent lies in. */
function callOf(agent: Span | undefined): Span | undefined {
  for (let at = agent?.parent; at !== undefined; at = at.parent) if (at.kind === "tool") return at;
  return undefined;
}
