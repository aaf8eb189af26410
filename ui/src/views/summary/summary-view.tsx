import { useEffect, useRef, useState } from "react";
import { areUncounted } from "../../../../src/domain/analysis/call-totals.js";
import type { SessionSummary } from "../../../../src/domain/analysis/session-summary.js";
import { contextTokens } from "../../../../src/domain/usage/token-counts.js";
import { engine } from "../../app/engine.js";
import type { SummaryState } from "../../engine/summary-store.js";
import type { SessionRoute } from "../../model/address.js";
import { formatCount, formatDollars, formatDuration, formatTokens } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { Notice, ProblemBanner, ProblemNotice } from "../parts/notice.js";
import { BytesSection } from "./bytes-section.js";
import { ContextSection } from "./context-section.js";
import { MissesSection } from "./misses-section.js";
import { MoneySection } from "./money-section.js";
import styles from "./summary.module.css";
import { costText } from "./summary-texts.js";
import { TimeSection } from "./time-section.js";
import { WasteSection } from "./waste-section.js";

interface SummaryViewProps {
  readonly route: SessionRoute;
  /** How many events the session has. */
  readonly events: number;
}

/** What the tokens, the money and the time of a session went into. */
export default function SummaryView({ route, events }: SummaryViewProps) {
  const { state, retry } = useSummary(events);
  const { summary, problem } = state ?? {};
  if (summary === undefined) {
    if (problem === undefined) return <Notice title={strings.loading} later={strings.loadingHint} />;
    return <ProblemNotice problem={problem} onRetry={retry} />;
  }
  const hasCalls = summary.counts.modelCalls > 0;
  return (
    <div className={styles.view}>
      {problem !== undefined && <ProblemBanner problem={problem} />}
      <Figures summary={summary} />
      <div className={styles.column}>
        {hasCalls && <ContextSection route={route} summary={summary} />}
        {hasCalls && <MissesSection route={route} summary={summary} />}
        {!hasCalls && <Notice title={strings.nothing}>{strings.nothingHint}</Notice>}
      </div>
      <div className={styles.column}>
        {hasCalls && <MoneySection route={route} summary={summary} events={events} />}
        <TimeSection route={route} summary={summary} />
        <WasteSection route={route} summary={summary} />
        <BytesSection route={route} summary={summary} />
      </div>
    </div>
  );
}

type Figure = readonly [name: string, value: string, notes: readonly (string | undefined)[], hint?: string];

function Figures({ summary: { total, counts, time } }: { readonly summary: SessionSummary }) {
  const { usage, cost, placeholderCalls, uncountedCalls } = total;
  const read = contextTokens(usage);
  const cached = read === 0 ? undefined : `${Math.round((usage.cacheReadTokens / read) * 100)} %`;
  const used: readonly Figure[] = [
    [
      strings.cost,
      costText(total),
      [cost.recordedUsd > 0 ? strings.recorded(formatDollars(cost.recordedUsd)) : undefined],
      strings.costHint,
    ],
    [strings.read, formatTokens(read), [cached && strings.cached(cached)]],
    [
      strings.written,
      formatTokens(usage.outputTokens),
      [placeholderCalls > 0 ? strings.placeholders(formatCount(placeholderCalls)) : undefined],
    ],
  ];
  const isUnknown = areUncounted(total);
  const figures: readonly Figure[] = [
    ...(isUnknown ? [[strings.tokensAndCost, "–", [STRINGS.noTokenCounts]] as const] : used),
    [
      strings.modelCalls,
      formatCount(counts.modelCalls),
      [
        counts.failedModelCalls > 0 ? strings.failed(formatCount(counts.failedModelCalls)) : undefined,
        uncountedCalls > 0 && !isUnknown ? strings.uncounted(formatCount(uncountedCalls)) : undefined,
      ],
    ],
    [
      strings.toolCalls,
      formatCount(counts.toolCalls),
      [
        counts.failedToolCalls > 0 ? strings.failed(formatCount(counts.failedToolCalls)) : undefined,
        counts.refusedToolCalls > 0 ? strings.refused(formatCount(counts.refusedToolCalls)) : undefined,
      ],
    ],
    [strings.wall, formatDuration(time.wholeMs), []],
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value, notes, hint]) => (
        <div key={name} title={hint}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b>
            {notes.map((note) => note !== undefined && <small key={note}>{note}</small>)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A summary takes all records of a session: one that goes on is asked for again after so long at the earliest. */
const LEAST_MS = 10_000;

/**
 * The summary of the session that is open.
 *
 * @param events how many it has: where that changes, the summary is read again
 * @returns no state until it has been read; `retry` reads it again at once
 */
function useSummary(events: number): { readonly state: SummaryState | undefined; retry(): void } {
  const [state, setState] = useState<SummaryState>();
  const [attempt, setAttempt] = useState(0);
  const due = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new events and a new attempt are why it is read again
  useEffect(() => {
    // What was asked for before there was more is shown all the same.
    const read = async () => {
      due.current = performance.now() + LEAST_MS;
      setState(await engine.call("sessionSummary"));
    };
    const timer = setTimeout(read, Math.max(0, due.current - performance.now()));
    return () => clearTimeout(timer);
  }, [events, attempt]);
  const retry = () => {
    due.current = 0;
    setAttempt(attempt + 1);
  };
  return { state, retry };
}
