import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { Overview } from "../../engine/trace-protocol.js";
import { type AgentLife, agentState } from "../../model/agent-forest.js";
import { formatDuration } from "../../model/formats.js";
import { placeOf } from "../../model/time-axis.js";
import { TEXTS } from "../../texts.js";
import { StatusMark } from "../parts/status-mark.js";
import styles from "./agent-lives.module.css";

interface AgentLivesProps {
  readonly lives: readonly AgentLife[];
  /** The line of the selected agent; -1 where none is. */
  readonly at: number;
  readonly axis: Overview["axis"];
  onSelect(agentId: string): void;
}

const ROW = 26;

const { agents: texts, trace } = TEXTS;

/** When each agent lived, in the order in which they were spawned. */
export function AgentLives({ lives, at, axis, onSelect }: AgentLivesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lives.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    // The header lies over the first lines and pushes the others down.
    scrollPaddingEnd: ROW + 4,
  });
  useEffect(() => {
    if (at !== -1) virtual.scrollToIndex(at);
  }, [at, virtual]);
  const items = virtual.getVirtualItems();
  const place = (instant: number) => `${(placeOf({ segments: axis }, instant) * 100).toFixed(2)}%`;
  return (
    <div
      ref={scroller}
      className={styles.lives}
      role="grid"
      aria-label={texts.lives}
      aria-rowcount={lives.length + 1}
      aria-activedescendant={items.some(({ index }) => index === at) ? `life-${at}` : undefined}
      tabIndex={0}
    >
      <div role="row" aria-rowindex={1} className={styles.head}>
        <span role="columnheader">{texts.count(lives.length)}</span>
        <span role="columnheader">{texts.role}</span>
        <span role="columnheader">{texts.status}</span>
        <span role="columnheader">{texts.events}</span>
        <span role="columnheader">{trace.timeline}</span>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const { agent, from: born, to: died, open } = lives[index]!;
          const state = agentState(agent);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and the keys
            <div
              key={agent.agentId}
              id={`life-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === at}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onSelect(agent.agentId)}
            >
              <span role="gridcell">
                <b>{agent.displayName}</b>
              </span>
              <span role="gridcell">{agent.role}</span>
              <span role="gridcell">
                <StatusMark status={state} />
              </span>
              <span role="gridcell">{agent.events}</span>
              <span role="gridcell" className={styles.track}>
                <i
                  className={styles.bar}
                  data-state={state}
                  data-open={open}
                  title={formatDuration(died - born)}
                  style={{ left: place(born), width: `calc(${place(died)} - ${place(born)})` }}
                />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
