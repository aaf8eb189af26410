import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { changeQuery, type SessionRoute, sessionAddress } from "../../model/address/address.js";
import { STRINGS } from "../../strings/strings.js";
import { TurnFacts } from "./turn-facts.js";
import styles from "./turn-list.module.css";
import type { OutlinedTurn } from "./use-turns.js";

const { messages: strings } = STRINGS;

const ROW_HEIGHT = 48;

interface TurnListProps {
  readonly turns: readonly OutlinedTurn[];
  /** -1 before the first turn. */
  readonly current: number;
  readonly route: SessionRoute;
  onGo(turn: number): void;
}

/** One Tab stop; the arrow keys move between turns. */
export function TurnList({ turns, current, route, onGo }: TurnListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<number>();
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
  });
  const items = virtual.getVirtualItems();
  const stop = nearest(wanted ?? current, items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when another turn is read, and at no other time
  useEffect(() => {
    if (current !== -1 && scroller.current?.matches(":hover, :focus-within") !== true)
      virtual.scrollToIndex(current);
  }, [current]);
  useEffect(() => {
    if (wanted === undefined) return;
    scroller.current?.querySelector<HTMLElement>(`[data-turn="${wanted}"]`)?.focus({ preventScroll: true });
  });
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const to = nearest(stop + step, 0, turns.length - 1);
    setWanted(to);
    virtual.scrollToIndex(to);
  };
  return (
    <div ref={scroller} className={styles.scroller}>
      <ol
        aria-label={strings.turns}
        className={styles.list}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={press}
        onBlur={() => setWanted(undefined)}
      >
        {items.map(({ index, start }) => (
          <li
            key={index}
            aria-setsize={turns.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            <TurnLink
              turn={turns[index]!}
              index={index}
              isCurrent={index === current}
              isStop={index === stop}
              route={route}
              onGo={onGo}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

const STEPS: { readonly [key: string]: number | undefined } = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

function nearest(index: number, first: number, last: number): number {
  return Math.max(first, Math.min(last, index));
}

interface TurnLinkProps {
  readonly turn: OutlinedTurn;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly isStop: boolean;
  readonly route: SessionRoute;
  onGo(turn: number): void;
}

function TurnLink({ turn, index, isCurrent, isStop, route, onGo }: TurnLinkProps) {
  const { agent } = route.query;
  const go = (event: MouseEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onGo(index);
  };
  return (
    <a
      href={sessionAddress(route, "messages", changeQuery({}, { agent, at: String(turn.messageIndex) }))}
      data-turn={index}
      tabIndex={isStop ? 0 : -1}
      aria-current={isCurrent ? "true" : undefined}
      data-tip={turn.prompt}
      onClick={go}
    >
      <span>
        <small>{formatCount(index + 1)}</small> {turn.prompt === "" ? <i>{strings.noPrompt}</i> : turn.prompt}
      </span>
      <TurnFacts turn={turn} edits={turn.edits} />
    </a>
  );
}
