import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { engine } from "../../app/engine.js";
import { useRowKeys } from "../../app/row-moves.js";
import { type Store, useStore } from "../../app/store.js";
import { useLiveClock } from "../../app/use-live-clock.js";
import { useReadingPosition } from "../../app/use-reading-position.js";
import { useVirtualRows } from "../../app/use-rows.js";
import type { TracedAgent, TraceRow, TraceViewModel } from "../../engine/trace/trace-protocol.js";
import type { Stretch } from "../../model/charts/time-axis.js";
import type { Growth } from "../../model/lists/new-lines.js";
import { liveAxis } from "../../model/live/live-axis.js";
import type { TraceLayout } from "../../model/trace/trace-order.js";
import { STRINGS } from "../../strings/strings.js";
import { useSplit } from "../parts/divider.js";
import { NewBelow } from "../parts/new-below.js";
import { BarAxis, LiveClock } from "./span-bar.js";
import { StickyTurn } from "./sticky-turn.js";
import { useVisibleAxis } from "./use-visible-axis.js";
import styles from "./waterfall.module.css";
import { COLUMNS, WaterfallHead } from "./waterfall-head.js";
import { WaterfallRow } from "./waterfall-row.js";

const ROW = 26;

interface WaterfallProps {
  readonly view: TraceViewModel;
  readonly growth: Growth;
  readonly atEnd: boolean;
  readonly busy: boolean;
  readonly order: TraceLayout;
  /** Start of keyboard moves, and its line; -1 without one. */
  readonly cursor: string | undefined;
  readonly line: number;
  readonly isOpen: boolean;
  readonly names: readonly TracedAgent[];
  readonly foldGaps: boolean;
  readonly live: boolean;
  readonly isWorking: boolean;
  readonly zoomedTo: number | undefined;
  readonly visible: Store<Stretch | undefined>;
  onMove(id: string, line: number): void;
  onSelect(id: string, line?: number): void;
  onToggle(id: string): Promise<void>;
  onSort(order: string): void;
}

const { trace } = STRINGS;

function scrollbarOf(element: HTMLElement | null): number {
  return element === null ? 0 : element.offsetWidth - element.clientWidth;
}

export function Waterfall({
  view,
  growth,
  atEnd,
  busy,
  order,
  cursor,
  line,
  isOpen,
  names,
  foldGaps,
  live,
  isWorking,
  zoomedTo,
  visible,
  onMove,
  onSelect,
  onToggle,
  onSort,
}: WaterfallProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { virtual, items, rowAt, currentRowAt } = useVirtualRows<TraceRow>({
    scroller,
    version: view.version,
    count: view.rows,
    height: ROW,
    overscan: 6,
    // The sticky header covers the first lines.
    scrollPaddingEnd: ROW + 4,
    // Ancestors of the first line cover it.
    scrollPaddingStart: ROW,
    first: view.first,
    load: (from, to) => engine.call("traceRows", from, to),
  });
  // Reuses elements: a leaving line becomes the next entering one.
  const lines = useRef(1);
  lines.current = Math.max(lines.current, items.length);

  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  // Of rows that fill the screen the header hides the last.
  const bottom = endIndex === view.rows - 1 ? endIndex : endIndex - 1;
  const clock = useLiveClock(live);
  const now = useStore(clock);
  const sessionAxis = liveAxis(view.axis, now, zoomedTo, isWorking, foldGaps);
  const axis = useVisibleAxis(
    { full: sessionAxis, count: view.rows, first: startIndex, last: bottom, foldGaps, now, rowAt },
    visible,
  );
  const reading = useReadingPosition({ virtual, scroller, growth, atEnd });
  const { goTo, release } = reading;

  const layout = typeof order === "string" ? order : `${order.column} ${order.descending}`;
  const renderedLayout = useRef(layout);
  // Selected when the order changed: then the first rows matter more.
  const passedOver = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (renderedLayout.current === layout) return;
    renderedLayout.current = layout;
    passedOver.current = typeof order === "string" ? undefined : cursor;
    release();
    scroller.current?.scrollTo(0, 0);
  }, [layout, order, cursor, release]);

  // Scrolls once per line of the selection, and not after the reader has scrolled.
  const renderedFor = useRef<string>(undefined);
  useEffect(() => {
    const target = `${line} ${cursor}`;
    if (line === -1 || line >= view.rows || renderedFor.current === target) return;
    renderedFor.current = target;
    if (passedOver.current === cursor) return;
    passedOver.current = undefined;
    const { startIndex: top = 0, endIndex: bottom = 0 } = virtual.range ?? {};
    // A step stays near the edge; a jump is centered, and stays while the trace loads.
    const near = line >= top - 2 && line <= bottom + 2;
    if (!near) return goTo(line, "center");
    release();
    virtual.scrollToIndex(line, { align: "auto" });
  }, [line, cursor, virtual, view.rows, goTo, release]);

  const fold = (folded: boolean) => (row: TraceRow) =>
    row.children > 0 && row.folded !== folded ? onToggle(row.id) : undefined;
  const open = (row: TraceRow, at: number) => {
    if (!isOpen) return onSelect(row.id, at);
    return row.children > 0 ? onToggle(row.id) : undefined;
  };
  useRowKeys(
    {
      line,
      rows: view.rows,
      rowAt: currentRowAt,
      load: async (index) => (await engine.call("traceRows", index, index + 1))[0],
      onMove: (row, at) => onMove(row.id, at),
    },
    { h: fold(true), l: fold(false), ArrowLeft: fold(true), ArrowRight: fold(false), Enter: open },
  );

  const agentNames = useMemo(() => new Map(names.map(({ id, name }) => [id, name])), [names]);
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.waterfall}
        style={useSplit(COLUMNS)}
        role="treegrid"
        aria-label={trace.label}
        aria-rowcount={view.rows + 1}
        aria-busy={busy}
        aria-activedescendant={items.some(({ index }) => index === line) ? `row-${line}` : undefined}
        tabIndex={0}
      >
        <WaterfallHead axis={axis} order={order} clock={clock} scroller={scroller} onSort={onSort} />
        <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
          <LiveClock.Provider value={clock}>
            <BarAxis.Provider value={axis}>
              {items.map(({ index, start }) => (
                <WaterfallRow
                  key={index % lines.current}
                  index={index}
                  top={start}
                  row={rowAt(index)}
                  asList={order === "list"}
                  selected={index === line}
                  agentName={agentNames.get(rowAt(index)?.agentId ?? "")}
                  onSelect={onSelect}
                  onToggle={onToggle}
                />
              ))}
            </BarAxis.Provider>
          </LiveClock.Provider>
        </div>
      </div>
      {order === "tree" && (
        <StickyTurn
          line={(virtual.scrollOffset ?? 0) > 0 ? startIndex + 1 : undefined}
          version={view.version}
          scrollbar={scrollbarOf(scroller.current)}
          onMove={onMove}
        />
      )}
      <NewBelow count={reading.fresh} onGo={reading.toEnd} />
    </div>
  );
}
