import { formatCount } from "../../../../src/domain/text/figures.js";
import type { EntryRow } from "../../engine/messages/message-protocol.js";
import { changeQuery, type SessionRoute, sessionAddress } from "../../model/address/address.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./entry-head.module.css";
import { StepCost, StepDuration, StepInstant } from "./step-facts.js";
import { TurnFacts } from "./turn-facts.js";
import type { Prompter } from "./use-agents.js";
import type { OutlinedTurn } from "./use-turns.js";

const { messages: strings } = STRINGS;

interface EntryHeadProps {
  readonly row: EntryRow;
  readonly route: SessionRoute;
  readonly turn: OutlinedTurn | undefined;
  readonly turnNumber: number;
  readonly prompter: Prompter | undefined;
}

export function EntryHead({ row, route, turn, turnNumber, prompter }: EntryHeadProps) {
  const { opensSpeaker, opensAnswer, origin, messageIndex, answer } = row;
  // Does not depend on the trace, so that loading it moves nothing.
  if (!opensSpeaker && !opensAnswer && turn === undefined && answer === undefined) return null;
  const { agent } = route.query;
  return (
    <header className={styles.head} data-opens={opensSpeaker} data-turn={turn !== undefined}>
      {opensSpeaker && <h2>{strings.origins[origin === "tool" ? "assistant" : origin]}</h2>}
      <a
        href={sessionAddress(route, "messages", changeQuery({}, { agent, at: String(messageIndex) }))}
        className={styles.number}
        data-tip={strings.link}
      >
        #{messageIndex}
      </a>
      {prompter !== undefined && <a href={prompter.address}>{strings.promptBy(prompter.name)}</a>}
      {turn !== undefined ? (
        <>
          <span>{strings.turn(formatCount(turnNumber))}</span>
          <TurnFacts turn={turn} edits={turn.edits} />
        </>
      ) : (
        answer !== undefined && (
          <span className={styles.answer}>
            <StepInstant step={answer} />
            <StepDuration step={answer} />
            <StepCost step={answer} />
          </span>
        )
      )}
    </header>
  );
}
