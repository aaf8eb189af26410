import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { engine } from "../../app/engine.js";
import { type KeyActions, useKeys } from "../../app/use-keys.js";
import { useReadingPlace } from "../../app/use-reading-place.js";
import { useRows } from "../../app/use-rows.js";
import type { TracedAgent, TraceRow, TraceViewModel } from "../../engine/trace-protocol.js";
import type { Growth } from "../../model/new-lines.js";
import { STRINGS } from "../../strings/strings.js";
import { NewBelow } from "../parts/new-below.js";
import { TimeRuler } from "../parts/time-ruler.js";
import styles from "./waterfall.module.css";
import { WaterfallRow } from "./waterfall-row.js";

const ROW = 26;

interface WaterfallProps {
  readonly view: TraceViewModel;
  readonly growth: Growth;
  /** Opens at the last line. */
  readonly atEnd: boolean;
  /** More rows are being loaded. */
  readonly busy: boolean;
  readonly asList: boolean;
  readonly selected: string | undefined;
  /** The line of the selected event; -1 where it has none. */
  readonly place: number;
  readonly names: readonly TracedAgent[];
  onSelect(id: string, line?: number): void;
  onToggle(id: string): void;
}

const { trace } = STRINGS;

/** The line that each key moves the selection to. */
const MOVES: { readonly [key: string]: (place: number, rows: number) => number } = {
  j: (place) => place + 1,
  k: (place) => place - 1,
  ArrowDown: (place) => place + 1,
  ArrowUp: (place) => place - 1,
  PageDown: (place) => place + 20,
  PageUp: (place) => place - 20,
  Home: () => 0,
  End: (_, rows) => rows - 1,
};

function moves(go: (to: (place: number, rows: number) => number) => void): KeyActions {
  return Object.fromEntries(Object.entries(MOVES).map(([key, to]) => [key, () => go(to)]));
}

export function Waterfall({
  view,
  growth,
  atEnd,
  busy,
  asList,
  selected,
  place,
  names,
  onSelect,
  onToggle,
}: WaterfallProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: view.rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    // The header lies over the first lines and pushes the others down.
    scrollPaddingEnd: ROW + 4,
  });
  const { rowAt, show } = useRows<TraceRow>(
    view.version,
    view.rows,
    (from, to) => engine.call("traceRows", from, to),
    view.first,
  );
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = (items.at(-1)?.index ?? 0) + 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is other rows in the same place
  useEffect(() => show(first, last), [show, first, last, view.version]);

  const reading = useReadingPlace({ virtual, scroller, growth, atEnd });
  const { release } = reading;

  // Scrolls once for each line of the selection, and never again after the reader has scrolled.
  const shownFor = useRef<string>(undefined);
  useEffect(() => {
    const target = `${place} ${selected}`;
    if (place === -1 || place >= view.rows || shownFor.current === target) return;
    shownFor.current = target;
    const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
    // A step stays near the edge; a jump shows what lies around.
    const near = place >= startIndex - 2 && place <= endIndex + 2;
    release();
    virtual.scrollToIndex(place, { align: near ? "auto" : "center" });
  }, [place, selected, virtual, view.rows, release]);

  const current = place === -1 ? undefined : rowAt(place);
  const move = async (to: number) => {
    const index = Math.min(view.rows - 1, Math.max(0, to));
    const row = rowAt(index) ?? (await engine.call("traceRows", index, index + 1))[0];
    if (row !== undefined) onSelect(row.id, index);
  };
  const fold = (folded: boolean) => {
    if (current !== undefined && current.children > 0 && current.folded !== folded) onToggle(current.id);
  };
  const open = () =>
    current !== undefined && current.children > 0 ? onToggle(current.id) : move(Math.max(0, place));
  useKeys({
    ...moves((to) => move(to(place, view.rows))),
    h: () => fold(true),
    l: () => fold(false),
    ArrowLeft: fold.bind(null, true),
    ArrowRight: fold.bind(null, false),
    Enter: open,
  });

  const agentNames = useMemo(() => new Map(names.map(({ id, name }) => [id, name])), [names]);
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.waterfall}
        role="treegrid"
        aria-label={trace.label}
        aria-rowcount={view.rows + 1}
        aria-busy={busy}
        aria-activedescendant={items.some(({ index }) => index === place) ? `row-${place}` : undefined}
        tabIndex={0}
      >
        <div role="row" aria-rowindex={1} className={styles.head}>
          <span role="columnheader">{trace.name}</span>
          <span role="columnheader">{trace.duration}</span>
          <span role="columnheader" title={trace.addedHint}>
            {trace.added}
          </span>
          <span role="columnheader" title={trace.contextHint}>
            {trace.context}
          </span>
          <span role="columnheader" aria-label={trace.timeline} className={styles.ruler}>
            <TimeRuler axis={view.axis} />
          </span>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <WaterfallRow
              key={index}
              index={index}
              top={start}
              row={rowAt(index)}
              asList={asList}
              selected={index === place}
              agentName={agentNames.get(rowAt(index)?.agentId ?? "")}
              onSelect={onSelect}
              onToggle={onToggle}
            />
          ))}
        </div>
      </div>
      <NewBelow count={reading.fresh} onGo={reading.toEnd} />
    </div>
  );
}
