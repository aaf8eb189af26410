import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { isUnfinished, stateOf } from "../../../../src/domain/session/session.js";
import { changeAddress, currentRoute } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { mediaStore, Store, useStore } from "../../app/store.js";
import { useRequested } from "../../app/use-answer.js";
import { useKeys } from "../../app/use-keys.js";
import { type AddressQuery, changeQuery, type SessionRoute } from "../../model/address/address.js";
import { type Stretch, zoomed } from "../../model/charts/time-axis.js";
import { hitSequence } from "../../model/search/search.js";
import { ALL_SPANS, filtersAnything, readFilters, writeFilters } from "../../model/trace/trace-filters.js";
import { readOrder } from "../../model/trace/trace-order.js";
import { STRINGS } from "../../strings/strings.js";
import { Divider, type Split, useSplit } from "../parts/divider.js";
import { lazyView } from "../parts/lazy-view.js";
import { Notice } from "../parts/notice.js";
import type { TabProps } from "../parts/tab-props.js";
import { stepToError } from "./error-steps.js";
import { OverviewStrip } from "./overview-strip.js";
import { TraceToolbar } from "./trace-toolbar.js";
import styles from "./trace-view.module.css";
import { useTrace } from "./use-trace.js";
import { Waterfall } from "./waterfall.js";

const loadDetails = () => import("./detail-pane.js");
const DetailPane = lazyView(loadDetails);

const DETAILS: Split = {
  name: "details",
  property: "--details",
  sets: "right",
  byDefault: 0.36,
  least: 0.2,
  most: 0.8,
};
const DETAILS_WITH_JSON: Split = { ...DETAILS, name: "detailsWithJson", byDefault: 0.58 };

export function TraceView({ route, session }: TabProps) {
  const { query } = route;
  const trace = useTrace(query, session.view);
  const { view } = trace;
  const [cursorLine, setCursorLine] = useState(-1);
  const panes = useRef<HTMLDivElement>(null);
  const [visible] = useState(() => new Store<Stretch | undefined>(undefined));
  const selected = query.event;
  const [cursor, setCursor] = useState(selected);
  if (selected !== undefined && selected !== cursor) setCursor(selected);
  const state = session.item && stateOf(session.item);
  // Once, because a jump would interrupt the reader.
  const [isOpening, setOpening] = useState(true);
  if (isOpening && !session.loading) {
    setOpening(false);
    const hangs = state?.kind === "stalled" || state?.kind === "looping";
    if (hangs && selected === undefined && query.hit === undefined) setCursor(session.stateStep);
  }
  const change = useCallback((changes: AddressQuery) => changeAddress(changeQuery(query, changes)), [query]);
  const select = useCallback(
    (id: string, line?: number) => {
      // At once, so that a repeated key continues from here.
      if (line !== undefined) setCursorLine(line);
      change({ event: id });
    },
    [change],
  );

  const json = useJsonVisible(query, change);
  const split = json.isVisible ? DETAILS_WITH_JSON : DETAILS;
  const splitStyle = useSplit(split);
  const moveTo = (id: string, line: number) => {
    if (selected !== undefined) return select(id, line);
    setCursorLine(line);
    setCursor(id);
  };

  useHit(query, view.version);
  // Preloads; the first opened step tries again after a failure.
  useEffect(() => void loadDetails().catch(() => undefined), []);
  const isLive = isUnfinished(session.item);
  const isFinal = !session.loading && trace.current;

  // The event may be folded, or move when the trace grows.
  const { locate } = trace;
  const { version } = view;
  useRequested(() => (cursor === undefined ? undefined : locate(cursor)), setCursorLine, [
    cursor,
    locate,
    version,
  ]);

  const zoom = async (factor: number) => {
    const around = cursor === undefined ? undefined : (await engine.call("traceDetail", cursor))?.row.at;
    const { query: latest } = currentRoute() as SessionRoute;
    const { from, to } = readFilters(latest);
    const visible = from === undefined || to === undefined ? undefined : { from, to };
    const stretch = zoomed({ segments: session.overview.axis }, visible, around, factor);
    changeAddress(changeQuery(latest, { from: stretch?.from.toFixed(0), to: stretch?.to.toFixed(0) }));
  };
  const showSession = change.bind(null, { from: "", to: "" });
  useKeys({
    H: () => trace.foldAll(true),
    L: () => trace.foldAll(false),
    "+": () => zoom(2),
    "=": () => zoom(2),
    "-": () => zoom(1 / 2),
    0: showSession,
    Escape: selected === undefined ? showSession : change.bind(null, { event: "", hit: "" }),
  });

  if (session.events === 0)
    return <Notice title={session.loading ? STRINGS.trace.loading : STRINGS.trace.nothing} />;
  return (
    <div className={styles.view} data-detail={selected !== undefined}>
      <OverviewStrip
        overview={session.overview}
        query={query}
        visible={visible}
        onChange={change}
        onSelect={select}
      />
      <TraceToolbar
        session={session}
        view={view}
        query={query}
        onChange={change}
        onNextError={() => stepToError(1)}
        onFoldAll={trace.foldAll}
      />
      <div ref={panes} className={styles.panes} style={splitStyle}>
        {view.rows > 0 ? (
          <Waterfall
            view={view}
            growth={{ version: session.traceVersion, lines: view.rows, complete: !session.loading }}
            atEnd={isLive && selected === undefined && query.hit === undefined}
            busy={!isFinal}
            order={readOrder(query)}
            cursor={cursor}
            line={cursorLine}
            isOpen={selected !== undefined}
            names={session.tracedAgents}
            foldGaps={query.gaps !== "show"}
            live={isLive}
            isWorking={state?.kind !== "waiting" || state.toolCallId !== undefined}
            zoomedTo={readFilters(query).to}
            visible={visible}
            onMove={moveTo}
            onSelect={select}
            onToggle={trace.toggle}
            onSort={(order) => change({ order })}
          />
        ) : (
          <Notice title={isFinal ? STRINGS.trace.nothingMatches : STRINGS.trace.nothingMatchesYet}>
            {filtersAnything(readFilters(query)) && (
              <button type="button" onClick={() => changeAddress({})}>
                {STRINGS.trace.clear}
              </button>
            )}
          </Notice>
        )}
        {selected !== undefined && (
          <>
            <Divider
              label={STRINGS.detail.width}
              split={split}
              container={panes}
              className={styles.divider}
            />
            <Suspense fallback={null}>
              <DetailPane
                route={route}
                session={session}
                selected={selected}
                json={json.isVisible}
                version={view.version}
                onToggleJson={json.toggle}
                onChange={change}
              />
            </Suspense>
          </>
        )}
      </div>
    </div>
  );
}

function useHit(query: AddressQuery, version: number): void {
  const sequence = query.event === undefined ? hitSequence(query.hit) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may have it
  useEffect(() => {
    if (sequence === undefined) return;
    engine.call("traceEventAt", sequence).then((event) => {
      const { query: latest } = currentRoute() as SessionRoute;
      if (event === undefined || latest.hit !== query.hit || latest.event !== undefined) return;
      // A sorted list contains only calls.
      const order = typeof readOrder(latest) === "string" ? latest.order : undefined;
      const lifted = event.hidden ? { ...writeFilters(ALL_SPANS), order } : {};
      changeAddress(changeQuery(latest, { ...lifted, event: event.id }));
    });
  }, [sequence, query.hit, version]);
}

/** Room for the trace, fields and JSON side by side. */
const ROOMY = mediaStore("(min-width: 1600px)");

function useJsonVisible(query: AddressQuery, onChange: (changes: AddressQuery) => void) {
  const roomy = useStore(ROOMY);
  const isVisible = query.raw === undefined ? roomy : query.raw === "1";
  return { isVisible, toggle: () => onChange({ raw: isVisible ? "0" : "1" }) };
}
