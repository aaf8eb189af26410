import { formatCount } from "../../../../src/domain/text/figures.js";
import type { LineCount } from "../../engine/messages/line-counts.js";
import type { TurnRow } from "../../engine/messages/message-protocol.js";
import { STRINGS } from "../../strings/strings.js";
import { EditedLines } from "../parts/edited-lines.js";
import { StepCost, StepDuration, StepInstant } from "./step-facts.js";
import styles from "./turn-facts.module.css";

const { messages: strings } = STRINGS;

interface TurnFactsProps {
  readonly turn: TurnRow;
  /** `undefined` without edits, and until they are loaded. */
  readonly edits: LineCount | undefined;
}

export function TurnFacts({ turn: { step, errors }, edits }: TurnFactsProps) {
  return (
    <span className={styles.facts}>
      <StepInstant step={step} />
      <StepDuration step={step} />
      <StepCost step={step} />
      {errors > 0 && (
        <span className={styles.errors} data-tip={strings.failures(errors)}>
          <span aria-hidden="true">✕ {formatCount(errors)}</span>
          <span className="visually-hidden">{strings.failures(errors)}</span>
        </span>
      )}
      <EditedLines lines={edits} />
    </span>
  );
}
