import { LANE_UNITS, type AgentLane as Lane } from "../../engine/agents/agent-protocol.js";
import { AGENTS_STRINGS as strings } from "../../strings/agents-strings.js";
import { AgentLane } from "./agent-lane.js";
import styles from "./wait-summary.module.css";

const NOTHING: Lane = { run: undefined, work: [], waits: [], path: [], jobs: [], errors: [] };
const ALL = [[0, LANE_UNITS]] as const;
const MIDDLE = [LANE_UNITS / 2];

const MARKS: readonly (readonly [keyof typeof strings.legend, Lane])[] = [
  ["work", { ...NOTHING, work: ALL }],
  ["waits", { ...NOTHING, waits: ALL }],
  ["path", { ...NOTHING, path: ALL }],
  ["errors", { ...NOTHING, errors: MIDDLE }],
  ["jobs", { ...NOTHING, jobs: MIDDLE }],
];

export function LaneLegend() {
  return (
    <span className={styles.legend}>
      {MARKS.map(([name, lane]) => (
        <span key={name}>
          <i>
            <AgentLane lane={lane} state="" />
          </i>
          {strings.legend[name]}
        </span>
      ))}
    </span>
  );
}
