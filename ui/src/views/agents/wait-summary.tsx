import type { ReactNode } from "react";
import { formatCount, formatDuration } from "../../../../src/domain/text/figures.js";
import type { AgentsViewModel } from "../../engine/agents/agent-protocol.js";
import { AGENTS_STRINGS as strings } from "../../strings/agents-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { LaneLegend } from "./lane-legend.js";
import styles from "./wait-summary.module.css";

interface WaitSummaryProps {
  readonly view: AgentsViewModel;
  onSelect(agentId: string): void;
}

export function WaitSummary({ view: { waits, path }, onSelect }: WaitSummaryProps) {
  const link = (agentId: string, name: string): ReactNode => (
    <button type="button" className={styles.link} onClick={() => onSelect(agentId)}>
      {name || STRINGS.trace.mainAgent}
    </button>
  );
  return (
    <section className={styles.summary} aria-label={strings.waits}>
      <LaneLegend />
      {path.agents > 1 && (
        <p>
          <b title={strings.pathHint}>{strings.path}</b>
          <span>{strings.pathOf(formatCount(path.agents), formatDuration(path.ms))}</span>
          {path.longest.map(({ agentId, name, ms }) => (
            <span key={agentId} className={styles.step}>
              {link(agentId, name)} <small>{formatDuration(ms)}</small>
            </span>
          ))}
          {path.agents > path.longest.length && (
            <small>{strings.morePath(formatCount(path.agents - path.longest.length))}</small>
          )}
        </p>
      )}
      <p>
        <b>{strings.waits}</b>
        {waits.source !== "events" && <span>{strings.sources[waits.source]}</span>}
        {waits.top.map(({ agentId, name, waiters, waiterName, ms }) => (
          <span key={agentId} className={styles.wait}>
            {strings.waited(formatCount(waiters), waiterName || STRINGS.trace.mainAgent, formatDuration(ms))}{" "}
            {link(agentId, name)}
          </span>
        ))}
        {waits.more > 0 && <small>{strings.moreWaits(formatCount(waits.more))}</small>}
        {waits.top.length > 1 && (
          <small>{strings.waitedInAll(formatCount(waits.waiters), formatDuration(waits.ms))}</small>
        )}
      </p>
    </section>
  );
}
