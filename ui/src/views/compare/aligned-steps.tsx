import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { SessionComparison } from "../../../../src/domain/compare/session-comparison.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { changeAddress } from "../../app/address-store.js";
import { useKeys } from "../../app/use-keys.js";
import { type AddressQuery, changeQuery } from "../../model/address/address.js";
import { StepLines } from "../../model/compare/step-lines.js";
import { STEP_STRINGS as strings } from "../../strings/step-strings.js";
import styles from "./aligned-steps.module.css";
import { LargestDivergences } from "./largest-divergences.js";
import { StepLineRow } from "./step-line-row.js";
import { useStepRows } from "./use-step-rows.js";

const LINE = 34;

interface AlignedStepsProps {
  readonly comparison: SessionComparison;
  readonly query: AddressQuery;
}

export function AlignedSteps({ comparison: { steps, sessions }, query }: AlignedStepsProps) {
  const { divergences, divergenceCount } = steps;
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const lines = useMemo(() => new StepLines(steps, open), [steps, open]);
  const { want, rowAt } = useStepRows(...sessions, steps.rows);
  const virtual = useVirtualizer({
    count: lines.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: 6,
  });
  const items = virtual.getVirtualItems();
  const visible = items.map(({ index, start }) => ({ index, start, line: lines.lineAt(index) }));
  useEffect(() => {
    for (const { line } of visible) if (line.kind === "row") want(line.row);
  });
  const named = Number(query.at ?? Number.NaN) - 1;
  const current = divergences[named] === undefined ? undefined : named;
  const goTo = (divergence: number) => {
    if (divergences[divergence] !== undefined)
      changeAddress(changeQuery(query, { at: String(divergence + 1) }));
  };
  const step = (by: 1 | -1) => () => goTo(current === undefined ? (by === 1 ? 0 : -1) : current + by);
  useKeys({ n: step(1), N: step(-1), j: step(1), k: step(-1) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is opened by hand does not scroll
  useEffect(() => {
    if (current === undefined) return;
    scroller.current?.scrollIntoView({ block: "nearest" });
    virtual.scrollToIndex(lines.lineOf(divergences[current]!.row), { align: "center" });
  }, [current]);
  const toggle = (row: number) => {
    const now = new Set(open);
    if (!now.delete(row)) now.add(row);
    setOpen(now);
  };
  if (steps.rowCount === 0) return null;
  return (
    <section className={styles.steps} aria-label={strings.title}>
      <header>
        <h2>{strings.title}</h2>
        <Counts steps={steps} />
        <div role="group" aria-label={strings.divergences} className={styles.stepper}>
          <button type="button" disabled={!current} aria-label={strings.previous} onClick={step(-1)}>
            ‹
          </button>
          <span role="status">
            {divergenceCount === 0
              ? strings.none
              : current === undefined
                ? strings.count(formatCount(divergenceCount))
                : strings.position(formatCount(current + 1), formatCount(divergenceCount))}
          </span>
          <button
            type="button"
            disabled={(current ?? -1) + 1 >= divergences.length}
            aria-label={strings.next}
            title={strings.keys}
            onClick={step(1)}
          >
            ›
          </button>
        </div>
      </header>
      <Notes steps={steps} />
      {divergences.length > 1 && (
        <LargestDivergences divergences={divergences} query={query} current={current} onChoose={goTo} />
      )}
      <div
        ref={scroller}
        className={styles.table}
        role="table"
        aria-label={strings.label}
        aria-rowcount={lines.count + 1}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        tabIndex={0}
      >
        <div role="rowgroup" className={styles.head}>
          <div role="row" aria-rowindex={1}>
            <span role="columnheader">A</span>
            <span role="columnheader">B</span>
            {(["cost", "time", "costSum", "timeSum"] as const).map((column) => (
              <span key={column} role="columnheader" title={strings.columnHints[column]}>
                {strings.columns[column]}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {visible.map(({ index, start, line }) => (
            <StepLineRow
              key={line.kind === "fold" ? `fold ${line.row}` : line.row}
              measure={virtual.measureElement}
              index={index}
              top={start}
              line={line}
              row={line.kind === "row" ? rowAt(line.row) : undefined}
              sessions={sessions}
              isCurrent={current !== undefined && line.kind === "row" && line.divergence === current}
              onToggle={toggle}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

type StepsProps = Pick<SessionComparison, "steps">;

function Counts({ steps: { same, changed, alone } }: StepsProps) {
  const texts = [
    strings.same(formatCount(same)),
    ...(changed > 0 ? [strings.changed(formatCount(changed))] : []),
    ...(["A", "B"] as const).flatMap((name, i) =>
      alone[i]! > 0 ? [strings.alone(formatCount(alone[i]!), name)] : [],
    ),
  ];
  return <p>{texts.join(" · ")}</p>;
}

function Notes({ steps: { isApproximate, divergences, divergenceCount } }: StepsProps) {
  const notes = [
    ...(isApproximate ? [strings.approximate] : []),
    ...(divergences.length < divergenceCount
      ? [strings.unlisted(formatCount(divergences.length), formatCount(divergenceCount))]
      : []),
    strings.ignored,
  ];
  return <p>{notes.join(" ")}</p>;
}
