import { useCallback, useEffect, useRef, useState } from "react";
import { changeAddress, currentRoute } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { useKeys } from "../../app/use-keys.js";
import {
  type SessionState,
  type TraceViewModel,
  traceQuery,
  traceQueryKey,
} from "../../engine/trace-protocol.js";
import { changeQuery, type Query, type SessionRoute } from "../../model/address.js";
import { hitSequence } from "../../model/search.js";
import { zoomed } from "../../model/time-axis.js";
import { ALL_SPANS, filtersAnything, readFilters, writeFilters } from "../../model/trace-filters.js";
import { STRINGS } from "../../strings/strings.js";
import { Notice } from "../parts/notice.js";
import { DetailPane } from "./detail-pane.js";
import { OverviewStrip } from "./overview-strip.js";
import { TraceToolbar } from "./trace-toolbar.js";
import styles from "./trace-view.module.css";
import { Waterfall } from "./waterfall.js";

interface TraceViewProps {
  readonly route: SessionRoute;
  readonly session: SessionState;
}

/** The trace: the overview of the session, the waterfall, and the event that is selected. */
export function TraceView({ route, session }: TraceViewProps) {
  const { query } = route;
  const trace = useTrace(query, session.view);
  const { view } = trace;
  const [place, setPlace] = useState(-1);
  const change = useCallback((changes: Query) => changeAddress(changeQuery(query, changes)), [query]);
  const select = useCallback(
    (id: string, line?: number) => {
      // Set at once, so that the next repeat of a held key continues from here.
      if (line !== undefined) setPlace(line);
      change({ event: id });
    },
    [change],
  );

  useHit(query, view.version);

  // The selected event may lie in something folded, or move when the trace grows.
  const selected = query.event;
  const { locate } = trace;
  const { version } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may have it on another line
  useEffect(() => {
    if (selected === undefined) {
      setPlace(-1);
      return;
    }
    let stale = false;
    locate(selected).then((line) => {
      if (!stale) setPlace(line);
    });
    return () => {
      stale = true;
    };
  }, [selected, locate, version]);

  // One after another, because each search starts from the result of the one before.
  const seeking = useRef<Promise<void>>(Promise.resolve());
  const seekError = (step: 1 | -1) => {
    seeking.current = seeking.current.then(async () => {
      const { query: latest } = currentRoute() as SessionRoute;
      const found = await engine.call("traceFindError", latest.event, step);
      if (found !== undefined) changeAddress(changeQuery(latest, { event: found }));
    });
  };
  const zoom = async (factor: number) => {
    const around = selected === undefined ? undefined : (await engine.call("traceDetail", selected))?.row.at;
    const { query: latest } = currentRoute() as SessionRoute;
    const { from, to } = readFilters(latest);
    const shown = from === undefined || to === undefined ? undefined : { from, to };
    const stretch = zoomed({ segments: session.overview.axis }, shown, around, factor);
    changeAddress(changeQuery(latest, { from: stretch?.from.toFixed(0), to: stretch?.to.toFixed(0) }));
  };
  const wholeSession = change.bind(null, { from: "", to: "" });
  useKeys({
    e: () => seekError(1),
    E: () => seekError(-1),
    H: () => trace.foldAll(true),
    L: () => trace.foldAll(false),
    "+": () => zoom(2),
    "=": () => zoom(2),
    "-": () => zoom(1 / 2),
    0: wholeSession,
    Escape: selected === undefined ? wholeSession : change.bind(null, { event: "", hit: "" }),
  });

  if (session.events === 0)
    return <Notice title={session.loading ? STRINGS.trace.loading : STRINGS.trace.nothing} />;
  return (
    <div className={styles.view} data-detail={selected !== undefined}>
      <OverviewStrip overview={session.overview} query={query} onChange={change} onSelect={select} />
      <TraceToolbar
        session={session}
        view={view}
        query={query}
        onChange={change}
        onNextError={() => seekError(1)}
        onFoldAll={trace.foldAll}
      />
      <div className={styles.panes}>
        {view.rows > 0 ? (
          <Waterfall
            view={view}
            growth={{ version: session.traceVersion, lines: view.rows, complete: !session.loading }}
            atEnd={session.item?.status === "running" && selected === undefined && query.hit === undefined}
            busy={session.loading || !trace.current}
            asList={query.order === "list"}
            selected={selected}
            place={place}
            names={session.tracedAgents}
            onSelect={select}
            onToggle={trace.toggle}
          />
        ) : (
          <Notice title={STRINGS.trace.nothingMatches}>
            {filtersAnything(readFilters(query)) && (
              <button type="button" onClick={() => changeAddress({})}>
                {STRINGS.trace.clear}
              </button>
            )}
          </Notice>
        )}
        <DetailPane
          route={route}
          session={session}
          selected={selected}
          version={view.version}
          onChange={change}
        />
      </div>
    </div>
  );
}

/** Selects the event of the hit that an address names, and lifts the filters if they hide it. */
function useHit(query: Query, version: number): void {
  const sequence = query.event === undefined ? hitSequence(query.hit) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may have it
  useEffect(() => {
    if (sequence === undefined) return;
    engine.call("traceEventAt", sequence).then((found) => {
      const { query: latest } = currentRoute() as SessionRoute;
      if (found === undefined || latest.hit !== query.hit || latest.event !== undefined) return;
      const lifted = found.hidden ? writeFilters(ALL_SPANS) : {};
      changeAddress(changeQuery(latest, { ...lifted, event: found.id }));
    });
  }, [sequence, query.hit, version]);
}

/**
 * The view model of the trace for this query. Until the engine has made it, the one before is returned, with `current` false.
 *
 * @param published the view model in the state that the engine last published, for the query that it had then
 */
function useTrace(query: Query, published: TraceViewModel) {
  const [answered, setAnswered] = useState(published);
  const view = newest(answered, published);
  const question = traceQuery(query);
  const key = traceQueryKey(question);
  const current = view.queryKey === key;
  const take = useCallback((answer: TraceViewModel) => setAnswered((known) => newest(known, answer)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the question
  useEffect(() => {
    if (!current) void engine.call("traceView", question).then(take);
  }, [key, current, take]);

  const toggle = useCallback((id: string) => engine.call("traceToggle", id).then(take), [take]);
  const foldAll = useCallback((fold: boolean) => engine.call("traceFoldAll", fold).then(take), [take]);
  const locate = useCallback(
    async (id: string) => {
      const { view: answer, index } = await engine.call("traceLocate", id);
      take(answer);
      return index;
    },
    [take],
  );
  return { view, current, toggle, foldAll, locate };
}

function newest(one: TraceViewModel, other: TraceViewModel): TraceViewModel {
  return other.version > one.version ? other : one;
}
