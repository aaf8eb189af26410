import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { goTo } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { useKeys } from "../../app/use-keys.js";
import { useRows } from "../../app/use-rows.js";
import type { SessionListState } from "../../engine/list-protocol.js";
import { type Query, sessionAddress } from "../../model/address.js";
import { SESSION_COLUMNS, type SessionLine, type SessionSort, writeSort } from "../../model/session-table.js";
import { STRINGS } from "../../strings/strings.js";
import { SessionRow } from "./session-row.js";
import styles from "./session-table.module.css";

const ROW = 32;

interface SessionTableProps {
  readonly list: SessionListState;
  readonly sort: SessionSort;
  onChange(changes: Query): void;
}

/** The table of sessions. Only the lines on the screen are rendered. */
export function SessionTable({ list, sort, onChange }: SessionTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<SessionLine>();
  const now = useNow();
  const virtual = useVirtualizer({
    count: list.lines,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const { rowAt, show } = useRows<SessionLine>(
    list.version,
    list.lines,
    (from, to) => engine.call("listLines", from, to),
    list.first,
  );
  // Many agent applications know no users: an empty column would take room from the titles.
  const hasUsers = list.users.length > 0;
  const hasSources = list.sources.length > 0;
  const columns = SESSION_COLUMNS.filter(
    (column) => (hasUsers || column !== "user") && (hasSources || column !== "source"),
  );
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = (items.at(-1)?.index ?? 0) + 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is other rows in the same place
  useEffect(() => show(first, last), [show, first, last, list.version]);
  useScrollAnchor(scroller, list.version, ROW, rowAt);

  const keyAt = (index: number) => lineKey(rowAt(index));
  const selectedKey = lineKey(selected);
  const place = items.find(({ index }) => keyAt(index) === selectedKey)?.index;
  // One key after another, each by the engine's current lines: those on the screen may be outdated.
  const moving = useRef<Promise<SessionLine | undefined>>(Promise.resolve(undefined));
  const move = (step: 1 | -1) => {
    moving.current = moving.current.then(async (last) => {
      const known = last?.type === "session" ? last.session : undefined;
      const from = known === undefined ? -1 : await engine.call("listIndex", known.tenantId, known.sessionId);
      let to = from === -1 ? (place ?? first - 1) + step : from + step;
      let [line] = await engine.call("listLines", Math.max(0, to), Math.max(0, to) + 1);
      if (line?.type === "tenant") {
        to += step;
        [line] = await engine.call("listLines", Math.max(0, to), Math.max(0, to) + 1);
      }
      if (line?.type !== "session") return last;
      setSelected(line);
      virtual.scrollToIndex(Math.max(0, to));
      scroller.current?.focus();
      return line;
    });
  };
  const open = async () => {
    const line = await moving.current;
    if (line?.type === "session") goTo(sessionAddress(line.session));
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: move.bind(null, 1),
    ArrowUp: move.bind(null, -1),
    Enter: open,
  });

  return (
    <div
      ref={scroller}
      className={styles.table}
      data-users={hasUsers}
      data-sources={hasSources}
      role="grid"
      aria-label={STRINGS.sessions}
      aria-rowcount={list.lines + 1}
      aria-busy={!list.complete}
      aria-activedescendant={place === undefined ? undefined : `session-${place}`}
      tabIndex={0}
    >
      <div role="row" aria-rowindex={1} className={styles.head}>
        {columns.map((column) => {
          const sorted = sort.column === column;
          const direction = sorted ? (sort.descending ? "descending" : "ascending") : undefined;
          const descending = sorted ? !sort.descending : NUMBERS.has(column);
          return (
            <div role="columnheader" tabIndex={-1} key={column} aria-sort={direction} data-column={column}>
              <button
                type="button"
                onClick={() => onChange({ sort: writeSort({ column, descending }) ?? "" })}
              >
                {STRINGS.columns[column]}
                <span aria-hidden="true">{sorted ? (sort.descending ? " ↓" : " ↑") : ""}</span>
              </button>
            </div>
          );
        })}
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <SessionRow
            key={index}
            index={index}
            top={start}
            line={rowAt(index)}
            now={now}
            hasUsers={hasUsers}
            hasSources={hasSources}
            selected={selectedKey !== undefined && keyAt(index) === selectedKey}
          />
        ))}
      </div>
    </div>
  );
}

/** Columns that are sorted largest first at the first click. */
const NUMBERS: ReadonlySet<string> = new Set(["active", "turns", "tokens"]);

function lineKey(line: SessionLine | undefined): string | undefined {
  if (line === undefined) return undefined;
  return line.type === "tenant"
    ? `tenant ${line.tenantId}`
    : `${line.session.tenantId} ${line.session.sessionId}`;
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Keeps the scroll position: after sessions were added above, the line that was on top is on top again. */
function useScrollAnchor(
  scroller: RefObject<HTMLDivElement | null>,
  version: number,
  rowHeight: number,
  rowAt: (index: number) => SessionLine | undefined,
): void {
  const known = useRef(version);
  const latestRowAt = useRef(rowAt);
  latestRowAt.current = rowAt;
  useLayoutEffect(() => {
    if (known.current === version) return;
    known.current = version;
    const element = scroller.current;
    if (element === null || element.scrollTop < rowHeight) return;
    const top = Math.floor(element.scrollTop / rowHeight);
    const line = latestRowAt.current(top);
    if (line?.type !== "session") return;
    const { tenantId, sessionId } = line.session;
    engine.call("listIndex", tenantId, sessionId).then((place) => {
      if (place !== -1 && place !== top) element.scrollTop += (place - top) * rowHeight;
    });
  }, [version, scroller, rowHeight]);
}
