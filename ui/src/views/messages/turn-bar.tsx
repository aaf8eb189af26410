import type { ReactNode } from "react";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { changeAddress } from "../../app/address-store.js";
import { useKeys } from "../../app/use-keys.js";
import { useOnceReady } from "../../app/use-once-ready.js";
import { changeQuery, type SessionRoute, speakerOf } from "../../model/address/address.js";
import { STRINGS } from "../../strings/strings.js";
import { CopyForAgent, copyForAgent } from "../parts/copy-for-agent.js";
import { closePopover, Popover } from "../parts/popover.js";
import styles from "./turn-bar.module.css";
import { TurnFacts } from "./turn-facts.js";
import { TurnList } from "./turn-list.js";
import { openMode } from "./unfolding.js";
import type { OutlinedTurn } from "./use-turns.js";

const { messages: strings } = STRINGS;

const LIST_ID = "turns";

interface TurnBarProps {
  readonly count: ReactNode;
  readonly route: SessionRoute;
  readonly turns: readonly OutlinedTurn[];
  readonly areComplete: boolean;
  readonly current: number;
  readonly hasList: boolean;
  readonly isFinal: boolean;
  readonly canUnfold: boolean;
  onGo(turn: number): void;
  onStep(step: 1 | -1): void;
}

export function TurnBar(props: TurnBarProps) {
  const { count, route, turns, areComplete, current, hasList, isFinal, canUnfold, onGo, onStep } = props;
  const turn = turns[current];
  const isMain = speakerOf(route.query) === "";
  const copied = turn !== undefined && isMain ? (`turn:${current + 1}` as const) : undefined;
  const copy = useOnceReady(areComplete, () => void copyForAgent({ session: route, only: copied }));
  useKeys({ y: isMain ? copy : undefined });
  const isAllOpen = openMode(route.query) === "all";
  const toggle = () => changeAddress(changeQuery(route.query, { open: isAllOpen ? "none" : "all" }));
  return (
    <div className={styles.bar}>
      <h2 className="visually-hidden">{strings.label}</h2>
      <p className={styles.count}>{count}</p>
      {turns.length > 0 && (
        <p className={styles.turn}>
          {turn !== undefined && (
            <>
              <b>
                {strings.turnOf(formatCount(current + 1), formatCount(turns.length))}
                {!isFinal && ` ${strings.soFar}`}
              </b>
              <span data-tip={turn.prompt}>{turn.prompt}</span>
              <TurnFacts turn={turn} edits={turn.edits} />
            </>
          )}
        </p>
      )}
      <div className={styles.actions}>
        {turns.length > 1 && (
          <>
            <button
              type="button"
              aria-label={strings.previousTurn}
              data-tip={`${strings.previousTurn} ([)`}
              onClick={() => onStep(-1)}
            >
              ↑
            </button>
            <button
              type="button"
              aria-label={strings.nextTurn}
              data-tip={`${strings.nextTurn} (])`}
              onClick={() => onStep(1)}
            >
              ↓
            </button>
          </>
        )}
        {hasList && turns.length > 1 && (
          <Popover id={LIST_ID} label={strings.turns} hint={strings.showTurns}>
            <div className={styles.list}>
              <TurnList
                turns={turns}
                current={current}
                route={route}
                onGo={(to) => {
                  closePopover(LIST_ID);
                  onGo(to);
                }}
              />
            </div>
          </Popover>
        )}
        {copied !== undefined && <CopyForAgent session={route} only={copied} hasKey />}
        {canUnfold && (
          <button type="button" onClick={toggle}>
            {isAllOpen ? strings.collapseAll : strings.expandAll}
          </button>
        )}
      </div>
    </div>
  );
}
