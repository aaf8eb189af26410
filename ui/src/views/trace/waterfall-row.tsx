import { type CSSProperties, memo, useContext } from "react";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatFineDollars,
  formatLongCost,
  formatSignedTokens,
  formatTokens,
} from "../../../../src/domain/text/figures.js";
import { useStore } from "../../app/store.js";
import type { TraceRow } from "../../engine/trace/trace-protocol.js";
import { formatRunning, runsFor } from "../../model/live/live-axis.js";
import { STRINGS } from "../../strings/strings.js";
import { TRACE_STRINGS as strings } from "../../strings/trace-strings.js";
import { EditedLines } from "../parts/edited-lines.js";
import { KindIcon } from "../parts/kind-icon.js";
import { bookkeepingOf, contentsOf, rowTitle } from "./row-strings.js";
import { LiveClock, OpenBar, SpanBar } from "./span-bar.js";
import styles from "./waterfall.module.css";

interface WaterfallRowProps {
  readonly index: number;
  readonly top: number;
  readonly row: TraceRow | undefined;
  readonly asList: boolean;
  readonly selected: boolean;
  readonly agentName: string | undefined;
  onSelect(id: string, line?: number): void;
  onToggle(id: string): void;
}

const { trace, kinds } = STRINGS;

export const WaterfallRow = memo(function WaterfallRow(props: WaterfallRowProps) {
  const { index, top, row, asList, selected, agentName, onSelect, onToggle } = props;
  const common = {
    id: `row-${index}`,
    "aria-rowindex": index + 2,
    style: { transform: `translateY(${top}px)` },
  };
  if (row === undefined) return <div {...common} role="row" className={styles.row} aria-busy="true" />;
  const title = rowTitle(row, asList);
  const foldable = row.children > 0;
  const estimated = isEstimated(row);
  const spentMs = row.repeats?.durationMs ?? row.durationMs;
  const contents = showsContents(row) ? contentsOf(row.totals, row.kind) : "";
  const bookkeeping = bookkeepingOf(row.bookkeeping);
  const Bar = row.state === "open" ? OpenBar : SpanBar;
  const ends = row.state === "open" ? trace.open : row.state === "cut" ? trace.cut : undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the focus and the keys
    <div
      {...common}
      role="row"
      className={styles.row}
      aria-level={row.depth + 1}
      aria-expanded={foldable ? !row.folded : undefined}
      aria-selected={selected}
      data-kind={row.kind}
      data-error={row.error !== undefined}
      data-aside={row.aside}
      data-hit={row.hit}
      onClick={() => onSelect(row.id, index)}
    >
      <div
        role="gridcell"
        className={styles.name}
        style={{ "--depth": Math.min(row.depth, 8) } as CSSProperties}
      >
        {foldable ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.fold}
            aria-label={row.folded ? "+" : "−"}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(row.id);
            }}
          >
            {row.folded ? "▸" : "▾"}
          </button>
        ) : (
          <i className={styles.leaf} />
        )}
        <KindIcon kind={row.kind} label={title === kinds[row.kind] ? "" : kinds[row.kind]} />
        {asList && <small>{row.sequence}</small>}
        <b>{title}</b>
        {row.repeats !== undefined && <Repeats calls={row.repeats.calls} />}
        {asList && agentName !== undefined && <small>{agentName}</small>}
        {row.preview !== "" && <About row={row} />}
        {row.lines !== undefined && (
          <small className={styles.lines}>
            <EditedLines lines={row.lines} />
          </small>
        )}
        {row.error !== undefined && (
          <em className={styles.failed} title={row.error}>
            ✕ {row.error}
          </em>
        )}
        {row.error === undefined && contents !== "" && (
          <span className={styles.contents} title={contents}>
            {contents}
          </span>
        )}
        {bookkeeping !== "" && (
          <small className={styles.bookkeeping} data-failed={row.bookkeeping.failed > 0}>
            {bookkeeping}
          </small>
        )}
      </div>
      <div
        role="gridcell"
        className={styles.number}
        title={ends ?? (row.derived ? trace.derivedHint : undefined)}
      >
        {row.state === "open" ? (
          <OpenDuration row={row} />
        ) : (
          row.state !== "point" && durationOf(row, spentMs)
        )}
        {row.state === "cut" && "…"}
      </div>
      <div role="gridcell" className={styles.number} title={estimated ? trace.estimatedHint : undefined}>
        {row.addedTokens !== undefined && formatSignedTokens(row.addedTokens, estimated)}
      </div>
      <div role="gridcell" className={styles.number}>
        {row.contextTokens !== undefined && formatTokens(row.contextTokens)}
      </div>
      <div role="gridcell" className={styles.number} title={row.cost && formatLongCost(row.cost)}>
        {row.cost !== undefined && formatCost(row.cost, formatFineDollars)}
      </div>
      <div role="gridcell" className={styles.track}>
        <Bar key={row.id} at={row.at} durationMs={row.durationMs} state={row.state} />
      </div>
    </div>
  );
});

/** A container always; a model call or tool call only while folded. */
function showsContents({ kind, folded, repeats }: TraceRow): boolean {
  if (kind === "llm" || repeats !== undefined) return false;
  return folded || kind === "turn" || kind === "run" || kind === "agent";
}

function durationOf({ derived }: TraceRow, durationMs: number): string {
  return `${derived ? "~" : ""}${formatDuration(durationMs)}`;
}

function OpenDuration({ row }: { readonly row: TraceRow }) {
  const now = useStore(useContext(LiveClock));
  if (now !== undefined) return `${row.derived ? "~" : ""}${formatRunning(runsFor(row, now))}`;
  return row.durationMs === 0 ? "…" : `${durationOf(row, row.durationMs)}…`;
}

/** Tokens of a tool are estimated; those of a run with model calls are counted. */
function isEstimated({ kind, addedTokens, totals }: TraceRow): boolean {
  return addedTokens !== undefined && (kind === "tool" || (kind === "group" && totals.llmCalls === 0));
}

function Repeats({ calls }: { readonly calls: number }) {
  return (
    <span className={styles.repeats} title={strings.repeatsHint(calls)}>
      <span aria-hidden="true">×{formatCount(calls)}</span>
      <span className="visually-hidden">{strings.repeats(calls)}</span>
    </span>
  );
}

/** With little room, a file name remains visible. */
function About({ row: { preview, nameAt, full: fullText } }: { readonly row: TraceRow }) {
  if (nameAt === -1) return <span title={fullText}>{preview}</span>;
  return (
    <span className={styles.path} title={fullText}>
      {nameAt > 0 && <span aria-hidden="true">{preview.slice(0, nameAt)}</span>}
      <span aria-hidden="true">{preview.slice(nameAt)}</span>
      {/* Adjacent boxes are read as separate words. */}
      <span className="visually-hidden">{preview}</span>
    </span>
  );
}
