import { formatCount } from "../../../../src/domain/text/figures.js";
import type { LineCount } from "../../engine/messages/line-counts.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./edited-lines.module.css";

const { changes } = STRINGS;

export function EditedLines({ lines }: { readonly lines: LineCount | undefined }) {
  if (lines === undefined) return null;
  const counts = [formatCount(lines.added), formatCount(lines.removed)] as const;
  return (
    <span className={styles.lines} data-tip={changes.countsInWords(...counts)}>
      <ins aria-hidden="true">+{counts[0]}</ins> <del aria-hidden="true">−{counts[1]}</del>
      <span className="visually-hidden">{changes.countsInWords(...counts)}</span>
    </span>
  );
}
