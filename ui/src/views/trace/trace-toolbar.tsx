import { formatCount } from "../../../../src/domain/text/figures.js";
import { nextAxis, usePreferences } from "../../app/preferences.js";
import type { SessionState, TraceViewModel } from "../../engine/trace/trace-protocol.js";
import type { AddressQuery } from "../../model/address/address.js";
import { readFilters, type TraceFilters, writeFilters } from "../../model/trace/trace-filters.js";
import { readOrder } from "../../model/trace/trace-order.js";
import { STRINGS } from "../../strings/strings.js";
import { TRACE_STRINGS as strings } from "../../strings/trace-strings.js";
import { Listbox } from "../parts/listbox.js";
import styles from "./trace-toolbar.module.css";

interface TraceToolbarProps {
  readonly session: SessionState;
  readonly view: TraceViewModel;
  readonly query: AddressQuery;
  onChange(changes: AddressQuery): void;
  onNextError(): void;
  onFoldAll(fold: boolean): void;
}

const { trace, chips } = STRINGS;

export function TraceToolbar(props: TraceToolbarProps) {
  const { session, view, query, onChange, onNextError, onFoldAll } = props;
  const filters = readFilters(query);
  const filter = (changes: Partial<typeof filters>) => {
    const written = writeFilters({ ...filters, ...changes });
    onChange(Object.fromEntries(Object.entries(written).map(([name, value]) => [name, value ?? ""])));
  };
  const order = readOrder(query);
  const counts = new Map(session.kinds.map(({ value, count }) => [value, count]));
  return (
    <div className={styles.bar} role="toolbar" aria-label={trace.label}>
      <div className={styles.chips}>
        {CHIPS.filter((kind) => counts.has(kind)).map((kind) => (
          <KindChip
            key={kind}
            kind={kind}
            count={counts.get(kind) ?? 0}
            soFar={session.loading}
            filters={filters}
            onFilter={filter}
          />
        ))}
      </div>
      {view.errors > 0 && (
        <span className={styles.errors}>
          <button
            type="button"
            aria-pressed={filters.errorsOnly}
            onClick={() => filter({ errorsOnly: !filters.errorsOnly })}
          >
            {trace.errorsOnly} <Counted count={view.errors} soFar={session.loading} />
          </button>
          <button
            type="button"
            title={`${trace.nextError} (e)`}
            aria-label={trace.nextError}
            onClick={onNextError}
          >
            ↓
          </button>
        </span>
      )}
      {session.tools.length > 1 && (
        <Listbox
          label={trace.tool}
          all={trace.tool}
          value={filters.tools[0] ?? ""}
          options={session.tools.map(({ value, count }) => ({
            value,
            label: `${value} (${count}${session.loading ? "+" : ""})`,
          }))}
          onChoose={(tool) => filter({ tools: tool === "" ? [] : [tool] })}
        />
      )}
      {session.tracedAgents.length > 0 && (
        <Listbox
          label={trace.agent}
          all={trace.agent}
          value={query.agent ?? ""}
          options={[
            { value: "main", label: trace.mainAgent },
            ...session.tracedAgents.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChoose={(agent) => onChange({ agent })}
        />
      )}
      <span className={styles.right}>
        {session.bookkeeping > 0 && (
          <button
            type="button"
            title={trace.bookkeepingHint}
            aria-pressed={query.bookkeeping === "show"}
            onClick={() => onChange({ bookkeeping: query.bookkeeping === "show" ? "" : "show" })}
          >
            {trace.bookkeeping} <Counted count={session.bookkeeping} soFar={session.loading} />
          </button>
        )}
        <AxisSwitch />
        <button
          type="button"
          aria-pressed={query.gaps !== "show"}
          onClick={() => onChange({ gaps: query.gaps === "show" ? "" : "show" })}
        >
          {trace.foldGaps}
        </button>
        {order === "tree" && (
          <>
            <button
              type="button"
              aria-label={trace.foldAll}
              data-tip={`${trace.foldAll} (H)`}
              onClick={() => onFoldAll(true)}
            >
              <FoldIcon paths="M4 3l4 4 4-4M4 13l4-4 4 4" />
            </button>
            <button
              type="button"
              aria-label={trace.unfoldAll}
              data-tip={`${trace.unfoldAll} (L)`}
              onClick={() => onFoldAll(false)}
            >
              <FoldIcon paths="M4 6l4-4 4 4M4 10l4 4 4-4" />
            </button>
          </>
        )}
        <button
          type="button"
          aria-pressed={order === "list"}
          onClick={() => onChange({ order: order === "list" ? "" : "list" })}
        >
          {trace.asList}
        </button>
      </span>
    </div>
  );
}

function Counted({ count, soFar }: { readonly count: number; readonly soFar: boolean }) {
  if (!soFar) return <small>{formatCount(count)}</small>;
  return (
    <small className={styles.soFar} title={strings.soFar}>
      {formatCount(count)}
      <span aria-hidden="true">+</span> <span className="visually-hidden">{strings.soFar}</span>
    </small>
  );
}

function FoldIcon({ paths }: { readonly paths: string }) {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor">
      <path d={paths} strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

function AxisSwitch() {
  const { axis } = usePreferences();
  const { followRows, followRowsHint } = STRINGS.trace;
  return (
    <button type="button" title={followRowsHint} aria-pressed={axis === "rows"} onClick={nextAxis}>
      {followRows}
    </button>
  );
}

const CHIPS = [
  "llm",
  "tool",
  "text",
  "agent",
  "compaction",
  "input",
  "error",
  "span",
  "evaluation",
  "unknown",
] as const;

type Chip = (typeof CHIPS)[number];

interface KindChipProps {
  readonly kind: Chip;
  readonly count: number;
  readonly soFar: boolean;
  readonly filters: TraceFilters;
  onFilter(changes: Pick<TraceFilters, "kinds" | "hidden">): void;
}

function KindChip({ kind, count, soFar, filters: { kinds, hidden }, onFilter }: KindChipProps) {
  const isHidden = hidden.includes(kind);
  const showAlone = () => {
    const isAlone = kinds.length === 1 && kinds[0] === kind && hidden.length === 0;
    onFilter({ kinds: isAlone ? [] : [kind], hidden: [] });
  };
  const hide = () => {
    const others = hidden.filter((other) => other !== kind);
    onFilter({
      kinds: kinds.filter((other) => other !== kind),
      hidden: isHidden ? others : [...hidden, kind],
    });
  };
  return (
    <button
      type="button"
      aria-pressed={kinds.includes(kind)}
      data-kind={kind}
      data-hidden={isHidden}
      title={trace.chipHint}
      onClick={({ altKey }) => (altKey ? hide() : showAlone())}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !event.altKey) return;
        event.preventDefault();
        hide();
      }}
    >
      {chips[kind]} <Counted count={count} soFar={soFar} />
      {isHidden && <span className="visually-hidden">{trace.hidden}</span>}
    </button>
  );
}
