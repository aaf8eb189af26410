import { type PointerEvent, useState } from "react";
import {
  formatCost,
  formatCount,
  formatEstimate,
  formatTokens,
} from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import { type ContextGrouping, contextRows, type SummaryRow } from "../../model/summary/summary-rows.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { PART_NAMES } from "./part-names.js";
import { Grouping, Section, type SummaryProps, useGrouping } from "./section.js";
import styles from "./summary.module.css";
import { SummaryTable } from "./summary-table.js";

const GROUPINGS: { readonly [by in ContextGrouping]: string } = {
  items: strings.items,
  tools: strings.tools,
  files: strings.files,
  agents: strings.agents,
  origins: strings.origins,
};

export function ContextSection({ route, summary }: SummaryProps) {
  const [by, setBy] = useGrouping(route, "by", GROUPINGS);
  const [isComplete, setComplete] = useState(false);
  const all = contextRows(summary, by, PART_NAMES);
  const rows = isComplete ? all : all.slice(0, SHORT);
  const heads = [GROUPINGS[by], strings.size, strings.readBy, strings.carried, strings.cost];
  return (
    <Section
      title={strings.context}
      hint={strings.contextHint}
      tools={<Grouping label={strings.by} names={GROUPINGS} chosen={by} onChoose={setBy} />}
    >
      <ContextCurve route={route} summary={summary} />
      <SummaryTable
        route={route}
        label={strings.context}
        heads={
          by === "items" ? heads : heads.filter((head) => head !== strings.size && head !== strings.readBy)
        }
        rows={rows}
        cells={by === "items" ? itemCells : groupCells}
      />
      {all.length > SHORT && (
        <button type="button" onClick={() => setComplete(!isComplete)} aria-expanded={isComplete}>
          {strings.more(formatCount(all.length - SHORT))}{" "}
          <span aria-hidden="true">{isComplete ? "▴" : "▾"}</span>
        </button>
      )}
    </Section>
  );
}

const SHORT = 8;

function itemCells({ carried }: SummaryRow): readonly string[] {
  if (carried === undefined) return [];
  return [formatEstimate(carried.size ?? 0), formatCount(carried.calls), ...groupCells({ carried })];
}

function groupCells({ carried }: Pick<SummaryRow, "carried">): readonly string[] {
  if (carried === undefined) return [];
  return [formatEstimate(carried.tokens), formatCost(carried)];
}

const WIDTH = 500;
const HEIGHT = 60;

/** Main agent only. Leads to the call under the pointer, and by keyboard to the largest. */
function ContextCurve({ route, summary }: SummaryProps) {
  const [under, setUnder] = useState<number>();
  const points = summary.context.curve.filter(({ agentId }) => agentId === "");
  if (points.length < 2) return null;
  const peak = points.reduce((most, { tokens }) => Math.max(most, tokens), 1);
  const step = WIDTH / (points.length - 1);
  const line = points.map(
    ({ tokens }, i) => `${(i * step).toFixed(1)} ${(HEIGHT - (tokens / peak) * (HEIGHT - 2)).toFixed(1)}`,
  );
  const point = points[under ?? points.findIndex(({ tokens }) => tokens === peak)] ?? points[0]!;
  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.round(((clientX - left) / width) * (points.length - 1));
    setUnder(Math.min(points.length - 1, Math.max(0, at)));
  };
  return (
    <a
      className={styles.curve}
      href={sessionAddress(route, "trace", { event: point.stepId })}
      title={under === undefined ? strings.curve(formatTokens(peak)) : strings.at(formatTokens(point.tokens))}
      onPointerMove={follow}
      onPointerLeave={() => setUnder(undefined)}
    >
      <span className="visually-hidden">{strings.curve(formatTokens(peak))}</span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={`M0 ${HEIGHT}L${line.join("L")}L${WIDTH} ${HEIGHT}Z`} />
        {under !== undefined && <path d={`M${under * step} 0V${HEIGHT}`} />}
      </svg>
    </a>
  );
}
