import type { Interval } from "../../../../src/domain/time/intervals.js";
import type { AgentLine } from "../../model/agents/agent-lines.js";
import type { AgentWait } from "../../model/agents/agent-waits.js";
import type { PathPiece } from "../../model/agents/critical-path.js";
import { placesOn, pointsOn } from "../../model/agents/lane-places.js";
import type { TimeAxis } from "../../model/charts/time-axis.js";
import type { AgentHistory } from "./agent-histories.js";
import { type AgentLane, type AgentRow, LANE_UNITS } from "./agent-protocol.js";

export interface LaneSource {
  readonly histories: ReadonlyMap<string, AgentHistory>;
  readonly waitsOf: ReadonlyMap<string, readonly AgentWait[]>;
  readonly pathOf: ReadonlyMap<string, readonly PathPiece[]>;
  readonly axis: TimeAxis;
}

export function agentRow(line: AgentLine, source: LaneSource): AgentRow {
  const { id, depth, parts, folded, sums } = line;
  const common = { id, depth, parts, folded, sums };
  if (line.type === "role") {
    return {
      ...common,
      type: "role",
      aside: false,
      name: "",
      role: line.role,
      prompt: "",
      state: "",
      models: [],
      isOpen: false,
      spanId: "",
      lane: laneOf(
        line.entries.map((entry) => entry.id),
        source,
      ),
    };
  }
  const { name, role, state, models } = line.entry;
  const history = source.histories.get(id);
  return {
    ...common,
    type: "agent",
    aside: line.aside,
    name,
    role,
    prompt: line.entry.prompt(),
    state,
    models,
    isOpen: history?.isOpen ?? true,
    spanId: history?.spanId ?? "",
    lane: laneOf([id], source),
  };
}

function laneOf(ids: readonly string[], { histories, waitsOf, pathOf, axis }: LaneSource): AgentLane {
  const recorded = ids.map((id) => histories.get(id)).filter((history) => history !== undefined);
  const timed = recorded.filter(({ from, to }) => !Number.isNaN(from) && !Number.isNaN(to));
  const places = (intervals: readonly Interval[]) => placesOn(axis, intervals, LANE_UNITS);
  const points = (instants: readonly number[]) => pointsOn(axis, instants, LANE_UNITS);
  const stretch = ({ from, to }: { readonly from: number; readonly to: number }): Interval => [from, to];
  const first = Math.min(...timed.map(({ from }) => from));
  const last = Math.max(...timed.map(({ to }) => to));
  return {
    run: timed.length === 0 ? undefined : places([[first, last]])[0],
    work: places(recorded.flatMap(({ work }) => work)),
    waits: places(ids.flatMap((id) => (waitsOf.get(id) ?? []).map(stretch))),
    path: places(ids.flatMap((id) => (pathOf.get(id) ?? []).map(stretch))),
    // Of a heading they would cover its lane.
    jobs: points(ids.length > 1 ? [] : recorded.flatMap(({ jobs }) => jobs)),
    errors: points(recorded.flatMap(({ failedAt }) => failedAt)),
  };
}
