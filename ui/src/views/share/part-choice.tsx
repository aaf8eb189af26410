import { useState } from "react";
import type { SharedPart } from "../../app/share-request.js";
import { SHARE_STRINGS as strings } from "../../strings/share-strings.js";
import styles from "./share-dialog.module.css";

interface PartChoiceProps {
  readonly part: SharedPart | undefined;
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly only: SharedPart | undefined;
  onOnly(only: SharedPart | undefined): void;
}

/** For another agent, a reader opens its conversation first. */
const MOST_AGENTS = 100;

const COMPLETE = "complete";
const TURN = "turn";

export function PartChoice({ part, agents, only, onOnly }: PartChoiceProps) {
  const [turn, setTurn] = useState(1);
  const isTurn = only?.startsWith("turn:") === true;
  const listed = agents.slice(0, MOST_AGENTS);
  const isListed = listed.some(({ id }) => part === `agent:${id}`);
  const choose = (value: string) => {
    if (value === COMPLETE) onOnly(undefined);
    else onOnly(value === TURN ? `turn:${turn}` : (value as SharedPart));
  };
  return (
    <p className={styles.part}>
      <label>
        {strings.part}{" "}
        <select
          value={only === undefined ? COMPLETE : isTurn ? TURN : only}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value={COMPLETE}>{strings.parts.complete}</option>
          <option value="errors">{strings.parts.errors}</option>
          <option value={TURN}>{strings.parts.turn}</option>
          {part !== undefined && !isListed && (
            <option value={part}>
              {part.startsWith("step:") ? strings.parts.step : strings.parts.agent(part.slice(6))}
            </option>
          )}
          {listed.map(({ id, name }) => (
            <option key={id} value={`agent:${id}`}>
              {strings.parts.agent(name)}
            </option>
          ))}
        </select>
      </label>
      {isTurn && (
        <input
          type="number"
          min={1}
          aria-label={strings.turnNumber}
          value={turn}
          onChange={(event) => {
            const number = Number(event.currentTarget.value);
            if (!Number.isInteger(number) || number < 1) return;
            setTurn(number);
            onOnly(`turn:${number}`);
          }}
        />
      )}
    </p>
  );
}
