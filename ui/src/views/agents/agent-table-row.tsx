import type { CSSProperties, Ref } from "react";
import type { TracedAgent } from "../../engine/trace-protocol.js";
import { changeQuery, type SessionRoute, sessionAddress } from "../../model/address.js";
import { type AgentRow, agentState, agentTimelines, jobAnswer } from "../../model/agent-forest.js";
import { countedTokens, formatCount, formatDuration, formatTokens } from "../../model/formats.js";
import { plainText } from "../../model/session-title.js";
import { STRINGS } from "../../strings/strings.js";
import { KindIcon } from "../parts/kind-icon.js";
import { StatusMark } from "../parts/status-mark.js";
import styles from "./agent-table.module.css";
import { useJobPrompt } from "./use-job-prompt.js";

interface AgentTableRowProps {
  /** Is told how high the row has become. */
  readonly measure: Ref<HTMLDivElement>;
  readonly route: SessionRoute;
  readonly index: number;
  readonly top: number;
  readonly row: AgentRow;
  readonly traced: TracedAgent | undefined;
  /** The last instant of the trace: an agent that was not closed is counted up to it. */
  readonly until: number;
  readonly version: number;
  /** More may be known soon. */
  readonly loading: boolean;
  readonly selected: boolean;
}

const DEEPEST = 6;

const { agents: strings, detail, trace } = STRINGS;

/** An agent: a link to its steps, and one to all that it was asked and answered. */
export function AgentTableRow(props: AgentTableRowProps) {
  const { measure, route, index, top, row, traced, until, version, loading, selected } = props;
  const { agent, depth } = row;
  const prompt = plainText(useJobPrompt(agent.agentId, version));
  const [timeline] = agentTimelines([agent], until);
  const { from, to } = timeline!;
  const answer = jobAnswer(agent);
  const details = sessionAddress(route, "agents", changeQuery(route.query, { agent: agent.agentId }));
  const steps = sessionAddress(route, "trace", { event: traced?.spanId ?? "" });
  return (
    <div
      ref={measure}
      id={`agent-${index}`}
      data-index={index}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div
        role="gridcell"
        className={styles.agent}
        style={{ "--depth": Math.min(depth, DEEPEST) } as CSSProperties}
      >
        <KindIcon kind="agent" label="" />
        <span>
          {traced === undefined ? (
            <b>{agent.displayName}</b>
          ) : (
            <a href={steps} title={strings.showTrace}>
              {agent.displayName}
            </a>
          )}
          {agent.role !== agent.displayName && <small>{agent.role}</small>}
        </span>
      </div>
      <div role="gridcell" className={styles.text} data-label={strings.asked}>
        <a href={details}>{prompt || (loading ? "…" : strings.noPrompt)}</a>
      </div>
      <div role="gridcell" className={styles.text} data-label={strings.answered} data-failed={answer.isError}>
        <span>{plainText(answer.text || (agent.lastJob?.outcome ?? strings.noJob))}</span>
      </div>
      <div role="gridcell">
        <StatusMark status={agentState(agent)} />
      </div>
      <div role="gridcell" className={styles.model}>
        {traced?.models.join(", ")}
      </div>
      <div role="gridcell" className={styles.number} data-label={detail.calls}>
        {traced !== undefined && formatCount(traced.totals.toolCalls)}
      </div>
      <div role="gridcell" className={styles.number} data-label={detail.tokens}>
        {traced !== undefined && countedTokens(traced.usage, formatTokens)}
      </div>
      <div role="gridcell" className={styles.number} data-label={trace.duration}>
        {from > 0 && to >= from && formatDuration(to - from)}
      </div>
    </div>
  );
}
