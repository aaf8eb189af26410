import { useMemo, useState } from "react";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { visibleText } from "../../../../src/domain/text/visible-text.js";
import type { ExportFinding } from "../../engine/share/read-export.js";
import {
  decide,
  findingsByRule,
  hiddenValues,
  type RuleFindings,
} from "../../model/share/reviewed-findings.js";
import { SHARE_STRINGS as strings } from "../../strings/share-strings.js";
import { FindingRow } from "./finding-row.js";
import styles from "./findings.module.css";

interface FindingsListProps {
  readonly findings: readonly ExportFinding[];
  readonly retained: ReadonlySet<string>;
  onRetained(retained: ReadonlySet<string>): void;
}

const FEW = 12;

/** Grouped by rule; large groups are folded. */
export function FindingsList({ findings, retained, onRetained }: FindingsListProps) {
  const hidden = useMemo(() => hiddenValues(findings), [findings]);
  return (
    <section aria-label={strings.findings} className={styles.rules}>
      {findingsByRule(findings).map((group) => (
        <Rule
          key={group.rule}
          group={group}
          isFolded={findings.length > FEW}
          hidden={hidden}
          retained={retained}
          onRetained={onRetained}
        />
      ))}
    </section>
  );
}

/** A session may have thousands of findings. */
const STEP = 50;

interface RuleProps extends Pick<FindingsListProps, "retained" | "onRetained"> {
  readonly group: RuleFindings<ExportFinding>;
  readonly isFolded: boolean;
  readonly hidden: readonly string[];
}

function Rule({ group, isFolded, hidden, retained, onRetained }: RuleProps) {
  const { findings } = group;
  const rule = visibleText(group.rule);
  const [isOpen, setOpen] = useState(!isFolded);
  const [visible, setVisible] = useState(STEP);
  const stay = findings.reduce((sum, { id }) => sum + (retained.has(id) ? 1 : 0), 0);
  const allStay = stay === findings.length;
  const state =
    stay === 0 ? strings.removed : allStay ? strings.exception : strings.partly(formatCount(stay));
  return (
    <div className={styles.rule}>
      <h3>
        <input
          type="checkbox"
          checked={!allStay}
          aria-label={strings.removeAll(rule)}
          ref={(box) => {
            if (box !== null) box.indeterminate = stay > 0 && !allStay;
          }}
          onChange={() => onRetained(decide(retained, findings, stay === 0))}
        />
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {rule}
          <small>
            {strings.values(formatCount(findings.length))} · {state}
          </small>
        </button>
      </h3>
      {isOpen && (
        <ul>
          {findings.slice(0, visible).map((finding) => (
            <FindingRow
              key={finding.id}
              finding={finding}
              stays={retained.has(finding.id)}
              hidden={hidden}
              onDecide={(stays) => onRetained(decide(retained, [finding], stays))}
            />
          ))}
        </ul>
      )}
      {isOpen && findings.length > visible && (
        <button type="button" onClick={() => setVisible(visible + STEP)}>
          {strings.more(formatCount(Math.min(STEP, findings.length - visible)))}
        </button>
      )}
    </div>
  );
}
