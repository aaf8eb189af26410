import type { ReactNode } from "react";
import { formatCount, formatDuration, formatTokens } from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import type { AgentDetail } from "../../engine/agents/agent-protocol.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";
import { MAIN_AGENT, type SessionRoute, sessionAddress } from "../../model/address/address.js";
import { jobAnswer } from "../../model/agents/agent-forest.js";
import { AGENTS_STRINGS as strings } from "../../strings/agents-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { Instant } from "../parts/instant.js";
import { StatusMark } from "../parts/status-mark.js";
import { SpokenBlock } from "../texts/spoken-block.js";
import { TextBlock } from "../texts/text-block.js";
import { costText, nameOf, tokensText } from "./agent-cells.js";
import styles from "./agents-view.module.css";
import { useJobPrompt } from "./use-job-prompt.js";

interface AgentCardProps {
  readonly route: SessionRoute;
  readonly session: SessionState;
  readonly agentId: string;
  readonly version: number;
  onSelect(agentId: string): void;
  onClose(): void;
}

const { detail } = STRINGS;
const { details, columns } = strings;

export function AgentCard(props: AgentCardProps) {
  const { route, session, agentId, version, onClose } = props;
  const existing = useAnswer(() => engine.call("agentsDetail", agentId), [agentId, version]);
  const prompt = useJobPrompt(agentId === MAIN_AGENT ? "" : agentId, session);
  const agent = session.agents.find((one) => one.agentId === agentId);
  if (existing === undefined) return null;
  const { row } = existing;
  const answer = agent === undefined ? "" : jobAnswer(agent).text || (agent.lastJob?.outcome ?? "");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <aside className={styles.card} aria-label={detail.label} tabIndex={0}>
      <div className={styles.title}>
        <h2>{nameOf(row)}</h2>
        <button type="button" aria-label={detail.close} onClick={onClose}>
          ✕
        </button>
      </div>
      <p>
        {row.state !== "" && <StatusMark status={row.state} />} {row.role}
      </p>
      <Figures {...props} detail={existing} closedAt={agent?.closedAt} createdAt={agent?.createdAt} />
      <p>
        <a href={sessionAddress(route, "trace", { agent: agentId })}>{details.showTrace}</a>
        {" · "}
        <a href={sessionAddress(route, "messages", agentId === MAIN_AGENT ? {} : { agent: agentId })}>
          {details.showConversation}
        </a>
      </p>
      {agentId !== MAIN_AGENT && (
        <>
          <h3>{details.prompt}</h3>
          {prompt === "" && <p>{details.noPrompt}</p>}
          {prompt && <TextBlock text={prompt} />}
          <h3>{details.result}</h3>
          {answer === "" && !session.loading && <p>{details.noTask}</p>}
          {answer !== "" && <SpokenBlock key={answer} text={answer} />}
        </>
      )}
    </aside>
  );
}

interface FiguresProps extends AgentCardProps {
  readonly detail: AgentDetail;
  readonly createdAt: string | undefined;
  readonly closedAt: string | undefined;
}

function Figures({ detail: existing, createdAt, closedAt, onSelect }: FiguresProps) {
  const { row, branch, parent, waitedFor, awaited, pathMs } = existing;
  const own = row.sums;
  const calls = strings.callsOf(formatCount(own.llmCalls), formatCount(own.toolCalls));
  const link = (agentId: string, name: string) => (
    <button type="button" className={styles.link} onClick={() => onSelect(agentId)}>
      {name || STRINGS.trace.mainAgent}
    </button>
  );
  const facts: readonly (readonly [string, ReactNode])[] = [
    [detail.started, plausibleInstant(createdAt) !== undefined && <Instant at={createdAt} />],
    [detail.ended, plausibleInstant(closedAt) !== undefined && <Instant at={closedAt} />],
    [columns.duration, own.durationMs > 0 && formatDuration(own.durationMs)],
    [details.activity, calls],
    [detail.model, row.models.join(", ")],
    [columns.tokens, tokensText(own, formatCount)],
    [columns.cost, costText(own)],
    [columns.errors, own.errors > 0 && formatCount(own.errors)],
    [details.withSpawned, branch.agents > 1 && withSpawned(existing)],
    [details.waited, own.waitedMs > 0 && waitedFor.length === 0 && formatDuration(own.waitedMs)],
    [
      details.waited,
      waitedFor.length > 0 &&
        waitedFor.map(({ agentId, name, ms }) => (
          <span key={agentId} className={styles.fact}>
            {details.waitedFor(formatDuration(ms))} {link(agentId, name)}
          </span>
        )),
    ],
    [
      details.awaited,
      awaited !== undefined && details.awaitedBy(formatCount(awaited.waiters), formatDuration(awaited.ms)),
    ],
    [details.path, pathMs > 0 && formatDuration(pathMs)],
    [details.spawnedBy, parent !== undefined && link(parent.agentId, parent.name)],
  ];
  return (
    <dl>
      {facts.map(([name, value], i) =>
        value === false || value === "" ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the facts are always the same ones
          <div key={i}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function withSpawned({ branch }: AgentDetail): string {
  const parts = [
    strings.count(formatCount(branch.agents)),
    branch.tokens > 0 ? `${formatTokens(branch.tokens)} ${columns.tokens.toLowerCase()}` : "",
    costText(branch),
    formatDuration(branch.durationMs),
  ];
  return parts.filter((part) => part !== "").join(", ");
}
