import { type CSSProperties, Suspense, useEffect, useMemo, useRef } from "react";
import { isSameSession, type SessionKey } from "../../../../src/domain/session/session-key.js";
import { engine } from "../../app/engine.js";
import { usePreferences } from "../../app/preferences.js";
import { useNarrow } from "../../app/use-narrow.js";
import { useNow } from "../../app/use-now.js";
import { useVirtualRows } from "../../app/use-rows.js";
import type { ListQuery, SessionListState } from "../../engine/sessions/list-protocol.js";
import type { AddressQuery } from "../../model/address/address.js";
import type { ColumnWidths } from "../../model/sessions/session-columns.js";
import {
  type SessionColumn,
  type SessionLine,
  type SessionSort,
  writeSort,
} from "../../model/sessions/session-table.js";
import { STRINGS } from "../../strings/strings.js";
import { ErrorBoundary } from "../parts/error-boundary.js";
import { lazyView } from "../parts/lazy-view.js";
import { ColumnEdge } from "./column-edge.js";
import { type RowEvents, SessionRow } from "./session-row.js";
import styles from "./session-table.module.css";
import type { VisibleColumns } from "./use-columns.js";
import { useListPosition } from "./use-list-position.js";
import { usePreview } from "./use-preview.js";
import { useSelectedSession } from "./use-selected-session.js";

const SessionPreview = lazyView(() => import("../preview/session-preview.js"));

/** In a narrow window, facts are below the title. */
const ROW = 32;
const NARROW_ROW = 50;
const HEAD = 30;

interface SessionTableProps {
  readonly list: SessionListState;
  readonly query: ListQuery;
  readonly columns: VisibleColumns;
  onChange(changes: AddressQuery): void;
}

/** Renders only visible lines. */
export function SessionTable({
  list,
  query,
  columns: { columns: visible, chosen },
  onChange,
}: SessionTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { zone, columnWidths } = usePreferences();
  const isNarrow = useNarrow();
  const height = isNarrow ? NARROW_ROW : ROW;
  const now = useNow();
  const { virtual, items, rowAt } = useVirtualRows<SessionLine>({
    scroller,
    version: list.version,
    count: list.lines,
    height,
    overscan: 8,
    scrollPaddingStart: HEAD,
    first: list.first,
    load: (from, to) => engine.call("listLines", from, to),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height needs other places
  useEffect(() => virtual.measure(), [virtual, height]);
  useListPosition(scroller, list, query, height, rowAt);

  const isCurrent = JSON.stringify(list.filters) === JSON.stringify(query.filters);
  const preview = usePreview(isNarrow);
  const { selected, enter, select } = useSelectedSession({
    first: () => Math.ceil((scroller.current?.scrollTop ?? 0) / height),
    isCurrent,
    onMove: (line, session) => {
      virtual.scrollToIndex(line);
      scroller.current?.focus();
      preview.onSelect(session, () => scroller.current?.querySelector('[aria-selected="true"]'));
    },
  });
  const selectedIndex = items.find(({ index }) => isOf(rowAt(index), selected))?.index;

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines have other rows
  useEffect(() => {
    preview.onRows((session) => {
      const index = items.find((item) => isOf(rowAt(item.index), session))?.index;
      return index === undefined ? undefined : document.getElementById(`session-${index}`);
    });
  }, [list.version]);

  const latest = useRef({ preview, select });
  latest.current = { preview, select };
  const events = useMemo(
    (): RowEvents => ({
      onPointer: (event, session) => latest.current.preview.onRow(event, session),
      onLeave: () => latest.current.preview.onLeave(),
      onOpen: (session) => latest.current.select(session),
    }),
    [],
  );
  const grouping = query.grouping;
  // The heading of a project names it.
  const columns = useMemo(
    () => visible.filter((column) => grouping !== "project" || column !== "tenant"),
    [visible, grouping],
  );

  return (
    <>
      <div
        ref={scroller}
        className={styles.table}
        data-columns={columns.join(" ")}
        data-chosen={chosen !== undefined}
        style={trackStyle(columns, columnWidths)}
        data-complete={list.complete}
        role="grid"
        aria-label={STRINGS.sessions}
        aria-rowcount={list.lines + 1}
        aria-busy={!list.complete || !isCurrent || list.isNarrowing}
        aria-activedescendant={selectedIndex === undefined ? undefined : `session-${selectedIndex}`}
        tabIndex={0}
        onFocus={(event) => {
          if (event.target === event.currentTarget && event.currentTarget.matches(":focus-visible")) enter();
        }}
        onScroll={preview.onScroll}
      >
        <SessionHead
          columns={columns}
          widths={columnWidths}
          sort={query.sort}
          hasFolders={list.hasFolders}
          onChange={onChange}
        />
        <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <SessionRow
              key={index}
              index={index}
              top={start}
              line={rowAt(index)}
              columns={columns}
              now={now}
              zone={zone}
              ofDay={grouping === "day"}
              selected={index === selectedIndex}
              isPreviewed={isOf(rowAt(index), preview.preview?.session)}
              events={events}
            />
          ))}
        </div>
      </div>
      {preview.preview !== undefined && (
        // Without its code, the list works without previews.
        <ErrorBoundary fallback={null}>
          <Suspense fallback={null}>
            <SessionPreview preview={preview.preview} onStay={preview.onStay} onLeave={preview.onLeave} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

function isOf(line: SessionLine | undefined, session: SessionKey | undefined): boolean {
  return line?.type === "session" && isSameSession(line.session, session);
}

/** A style sheet has the default widths, and hides columns without room. */
function trackStyle(columns: readonly SessionColumn[], widths: ColumnWidths): CSSProperties {
  const tracks = columns.map((column) => (column === "title" ? "var(--title)" : `var(--${column},)`));
  const put = Object.entries(widths).map(([column, width]) => [`--put-${column}`, `${width}px`]);
  return { "--columns": tracks.join(" "), ...Object.fromEntries(put) } as CSSProperties;
}

interface SessionHeadProps {
  readonly columns: readonly SessionColumn[];
  readonly widths: ColumnWidths;
  readonly sort: SessionSort;
  readonly hasFolders: boolean;
  onChange(changes: AddressQuery): void;
}

function SessionHead({ columns, widths, sort, hasFolders, onChange }: SessionHeadProps) {
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      {columns.map((column) => {
        const sorted = sort.column === column;
        const direction = sorted ? (sort.descending ? "descending" : "ascending") : undefined;
        const descending = sorted ? !sort.descending : NUMBERS.has(column);
        const name = column === "tenant" && hasFolders ? STRINGS.list.project : STRINGS.columns[column];
        return (
          <div
            role="columnheader"
            tabIndex={-1}
            key={column}
            aria-label={name}
            aria-sort={direction}
            data-column={column}
          >
            <button type="button" onClick={() => onChange({ sort: writeSort({ column, descending }) ?? "" })}>
              {name}
              <span aria-hidden="true">{sorted ? (sort.descending ? " ↓" : " ↑") : ""}</span>
            </button>
            <ColumnEdge column={column} name={name} width={widths[column]} />
          </div>
        );
      })}
    </div>
  );
}

const NUMBERS: ReadonlySet<SessionColumn> = new Set([
  "errors",
  "duration",
  "turns",
  "tokens",
  "cost",
  "active",
]);
