import { memo } from "react";
import { LANE_UNITS, type AgentLane as Lane } from "../../engine/agents/agent-protocol.js";
import styles from "./agent-lane.module.css";

const HEIGHT = 26;
const MIDDLE = 12;
const BELOW = 22;

/** A fixed number of paths, regardless of the activity. Strokes do not scale with the lane. */
export const AgentLane = memo(function AgentLane({
  lane,
  state,
}: {
  readonly lane: Lane;
  readonly state: string;
}) {
  const { run, work, waits, path, jobs, errors } = lane;
  return (
    <svg
      className={styles.lane}
      viewBox={`0 0 ${LANE_UNITS} ${HEIGHT}`}
      preserveAspectRatio="none"
      data-state={state}
      aria-hidden="true"
    >
      {run !== undefined && <path className={styles.run} d={stretches([run], MIDDLE)} />}
      {work.length > 0 && <path className={styles.work} d={stretches(work, MIDDLE)} />}
      {waits.length > 0 && <path className={styles.free} d={stretches(waits, MIDDLE)} />}
      {waits.length > 0 && <path className={styles.waits} d={stretches(waits, MIDDLE)} />}
      {jobs.length > 0 && <path className={styles.jobs} d={marks(jobs, 4, 9)} />}
      {errors.length > 0 && <path className={styles.errors} d={marks(errors, 4, 20)} />}
      {path.length > 0 && <path className={styles.path} d={stretches(path, BELOW)} />}
    </svg>
  );
});

function stretches(places: readonly (readonly [number, number])[], y: number): string {
  return places.map(([x0, x1]) => `M${x0} ${y}H${x1}`).join("");
}

function marks(places: readonly number[], y0: number, y1: number): string {
  return places.map((x) => `M${x} ${y0}V${y1}`).join("");
}
