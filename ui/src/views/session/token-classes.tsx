import { type TokenUsage, totalTokens } from "../../../../src/domain/session.js";
import { formatCount, formatTokens } from "../../model/formats.js";
import { STRINGS } from "../../strings.js";
import styles from "./session-header.module.css";

const { header } = STRINGS;

const CLASSES = [
  ["input", "inputTokens"],
  ["output", "outputTokens"],
  ["cacheRead", "cacheReadTokens"],
  ["cacheWrite", "cacheWriteTokens"],
] as const;

/** The tokens of a session by class. */
export function TokenClasses({ usage }: { readonly usage: TokenUsage }) {
  const total = totalTokens(usage);
  return (
    <div title={`${formatCount(total)} ${header.tokens}`}>
      <dt>{header.tokens}</dt>
      <dd>
        <b>{formatTokens(total)}</b>
        <span className={styles.classes}>
          {CLASSES.map(([name, field]) => (
            <span key={name} title={formatCount(usage[field])}>
              {header[name]} {formatTokens(usage[field])}
            </span>
          ))}
        </span>
      </dd>
    </div>
  );
}
