import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { TracedAgent } from "../../engine/trace-protocol.js";
import { type AgentTimeline, agentState } from "../../model/agent-forest.js";
import { formatDuration } from "../../model/formats.js";
import { type AxisSegment, positionOf } from "../../model/time-axis.js";
import { STRINGS } from "../../strings/strings.js";
import { StatusMark } from "../parts/status-mark.js";
import { TimeRuler } from "../parts/time-ruler.js";
import styles from "./agent-timelines.module.css";

interface AgentTimelinesProps {
  readonly timelines: readonly AgentTimeline[];
  readonly traced: ReadonlyMap<string, TracedAgent>;
  /** The line of the selected agent; -1 where none is. */
  readonly at: number;
  readonly axis: readonly AxisSegment[];
  onSelect(agentId: string): void;
}

const ROW = 26;

const { agents: strings, chips, trace } = STRINGS;

/** From when to when each agent ran, in the order in which they were spawned. */
export function AgentTimelines({ timelines, traced, at, axis, onSelect }: AgentTimelinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: timelines.length,
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
  const place = (instant: number) => `${(positionOf({ segments: axis }, instant) * 100).toFixed(2)}%`;
  return (
    <div
      ref={scroller}
      className={styles.timelines}
      role="grid"
      aria-label={strings.timelines}
      aria-rowcount={timelines.length + 1}
      aria-activedescendant={items.some(({ index }) => index === at) ? `timeline-${at}` : undefined}
      tabIndex={0}
    >
      <div role="row" aria-rowindex={1} className={styles.head}>
        <span role="columnheader">{strings.count(timelines.length)}</span>
        <span role="columnheader">{strings.role}</span>
        <span role="columnheader">{strings.status}</span>
        <span role="columnheader" className={styles.number}>
          {chips.llm}
        </span>
        <span role="columnheader" className={styles.number}>
          {chips.tool}
        </span>
        <span role="columnheader" className={styles.number}>
          {trace.duration}
        </span>
        <span role="columnheader" className={styles.ruler}>
          <span className="visually-hidden">{trace.timeline}</span>
          <TimeRuler axis={axis} />
        </span>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const { agent, from, to, open } = timelines[index]!;
          const state = agentState(agent);
          const totals = traced.get(agent.agentId)?.totals;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and the keys
            <div
              key={agent.agentId}
              id={`timeline-${index}`}
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
              <span role="gridcell" className={styles.number}>
                {totals?.llmCalls}
              </span>
              <span role="gridcell" className={styles.number}>
                {totals?.toolCalls}
              </span>
              <span role="gridcell" className={styles.number}>
                {from > 0 && to >= from && formatDuration(to - from)}
              </span>
              <span role="gridcell" className={styles.track}>
                <i
                  className={styles.bar}
                  data-state={state}
                  data-open={open}
                  style={{ left: place(from), width: `calc(${place(to)} - ${place(from)})` }}
                />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
