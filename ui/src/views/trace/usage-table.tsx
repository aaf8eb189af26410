import type { TokenUsage } from "../../../../src/domain/session.js";
import { formatCount } from "../../model/formats.js";
import { STRINGS } from "../../strings.js";
import styles from "./detail-readable.module.css";

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
