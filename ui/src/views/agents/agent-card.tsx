import type { OrchestrationAgent } from "../../../../src/domain/orchestration/orchestration.js";
import type { TracedAgent } from "../../engine/trace-protocol.js";
import { type SessionRoute, sessionAddress } from "../../model/address.js";
import { agentState, jobAnswer } from "../../model/agent-forest.js";
import { countedTokens, formatCount } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import { Instant } from "../parts/instant.js";
import { SpokenBlock } from "../parts/spoken-block.js";
import { StatusMark } from "../parts/status-mark.js";
import { TextBlock } from "../parts/text-block.js";
import { contentsOf } from "../trace/row-strings.js";
import styles from "./agents-view.module.css";
import { useJobPrompt } from "./use-job-prompt.js";

interface AgentCardProps {
  readonly route: SessionRoute;
  readonly agent: OrchestrationAgent;
  readonly traced: TracedAgent | undefined;
  /** Increases when the trace has changed: the event with the job's input may have been added. */
  readonly version: number;
  onClose(): void;
}

const { agents: strings, detail } = STRINGS;

/** The selected agent, with the input and the output of its last job. */
export function AgentCard({ route, agent, traced, version, onClose }: AgentCardProps) {
  const input = useJobPrompt(agent.agentId, version);
  const job = agent.lastJob;
  const answer = jobAnswer(agent).text || (job?.outcome ?? "");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <aside className={styles.card} aria-label={detail.label} tabIndex={0}>
      <div className={styles.title}>
        <h2>{agent.displayName}</h2>
        <button type="button" aria-label={detail.close} onClick={onClose}>
          ✕
        </button>
      </div>
      <p>
        <StatusMark status={agentState(agent)} /> {agent.role}
      </p>
      <dl>
        <dt>{detail.started}</dt>
        <dd>
          <Instant at={Date.parse(agent.createdAt)} />
        </dd>
        {agent.closedAt !== undefined && (
          <>
            <dt>{detail.ended}</dt>
            <dd>
              <Instant at={Date.parse(agent.closedAt)} />
            </dd>
          </>
        )}
        <dt>{strings.events}</dt>
        <dd>{traced?.totals.events ?? agent.events}</dd>
        {traced !== undefined && (
          <>
            <dt>{strings.did}</dt>
            <dd>{contentsOf(traced.totals, "agent")}</dd>
            <dt>{detail.model}</dt>
            <dd>{traced.models.join(", ") || STRINGS.header.unknownModel}</dd>
            <dt>{detail.tokens}</dt>
            <dd>{countedTokens(traced.usage, formatCount)}</dd>
          </>
        )}
        {agent.parentAgentId !== undefined && (
          <>
            <dt>{strings.spawnedBy}</dt>
            <dd>{agent.parentAgentId}</dd>
          </>
        )}
      </dl>
      <p>
        <a href={sessionAddress(route, "trace", { agent: agent.agentId })}>{strings.showTrace}</a>
        {" · "}
        <a href={sessionAddress(route, "messages", { agent: agent.agentId })}>{strings.showConversation}</a>
      </p>
      {input !== "" && (
        <>
          <h3>{strings.jobInput}</h3>
          <TextBlock text={input} />
        </>
      )}
      <h3>{strings.jobOutput}</h3>
      {job === undefined ? <p>{strings.noJob}</p> : <SpokenBlock key={answer} text={answer} />}
    </aside>
  );
}
