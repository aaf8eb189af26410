import { type JsonObject, labelOf } from "../../../../src/domain/json/json.js";
import type { TokenUsage } from "../../../../src/domain/session/session.js";
import { compactionTokens } from "../../../../src/domain/spans/event-facts.js";
import { formatCount, formatTokens } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./detail-readable.module.css";

const { detail } = STRINGS;

/** How much of the context a compaction freed. */
export function CompactionCard({ events }: { readonly events: readonly JsonObject[] }) {
  const facts = events.map(compactionTokens);
  const before = facts.map(({ tokensBefore }) => tokensBefore).find((tokens) => tokens !== undefined);
  const after = facts.map(({ tokensAfter }) => tokensAfter).find((tokens) => tokens !== undefined);
  const trigger = events.map((event) => labelOf(event.trigger)).find((word) => word !== undefined);
  return (
    <div className={styles.card}>
      {before !== undefined && <Figure name={detail.before} value={formatTokens(before)} />}
      {after !== undefined && <Figure name={detail.after} value={formatTokens(after)} />}
      {before !== undefined && after !== undefined && (
        <Figure name={detail.freed} value={formatTokens(before - after)} />
      )}
      {trigger !== undefined && <Figure name={detail.trigger} value={trigger} />}
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <span>{name}</span>
      <b>{value}</b>
    </div>
  );
}

const { header } = STRINGS;

export function UsageTable({ usage }: { readonly usage: TokenUsage }) {
  return (
    <table className={styles.usage}>
      <thead>
        <tr>
          <th>{header.input}</th>
          <th>{header.output}</th>
          <th>{header.cacheRead}</th>
          <th>{header.cacheWrite}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>{formatCount(usage.inputTokens)}</td>
          <td>{formatCount(usage.outputTokens)}</td>
          <td>{formatCount(usage.cacheReadTokens)}</td>
          <td>{formatCount(usage.cacheWriteTokens)}</td>
        </tr>
      </tbody>
    </table>
  );
}
