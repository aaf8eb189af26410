import { formatCount, formatDuration, formatShare } from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { Section, type SummaryProps } from "./section.js";
import styles from "./summary.module.css";

type ClassName = keyof typeof strings.classes;

export function TimeSection({ route, summary: { time } }: SummaryProps) {
  const { wholeMs, classes, slowestTools, agentGroups, agents } = time;
  if (wholeMs === 0) return null;
  const names = (Object.keys(strings.classes) as ClassName[]).filter((name) => classes[name] > 0);
  const nameOf = (id: string) => agents.find(({ agentId }) => agentId === id)?.name ?? id;
  return (
    <Section title={strings.timeTitle}>
      <div className={styles.stack} aria-hidden="true">
        {names.map((name) => (
          <span
            key={name}
            data-class={name}
            style={{ flexGrow: classes[name] }}
            title={strings.classes[name]}
          />
        ))}
      </div>
      <dl className={styles.legend}>
        {names.map((name) => (
          <div key={name} data-class={name}>
            <dt>{strings.classes[name]}</dt>
            <dd>
              {formatDuration(classes[name])} <small>{formatShare(classes[name] / wholeMs)}</small>
            </dd>
          </div>
        ))}
      </dl>
      {slowestTools.length > 0 && <h3>{strings.slowest}</h3>}
      <ul className={styles.list}>
        {slowestTools.slice(0, 5).map(({ stepId, name, subject, ms }) => (
          <li key={stepId}>
            <a href={sessionAddress(route, "trace", { event: stepId })} title={subject}>
              {name} {subject}
            </a>{" "}
            {formatDuration(ms)}
          </li>
        ))}
      </ul>
      {agentGroups.length > 0 && <h3>{strings.groups}</h3>}
      <ul className={styles.list}>
        {agentGroups.slice(0, 5).map(({ agentIds, overlapMs, lastAgentId, aloneMs }) => (
          <li key={agentIds.join()}>
            {strings.overlapped(
              formatCount(agentIds.length),
              formatDuration(overlapMs),
              nameOf(lastAgentId),
              formatDuration(aloneMs),
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
