import { useEffect, useRef, useState } from "react";
import type { Diagnosis } from "../../../../src/domain/diagnosis/session-diagnosis.js";
import { isUnfinished } from "../../../../src/domain/session/session.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import type { SummaryState } from "../../engine/summary/summary-store.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";
import type { SessionRoute } from "../../model/address/address.js";
import { summaryFigures } from "../../model/summary/summary-figures.js";
import { DIAGNOSIS_STRINGS } from "../../strings/diagnosis-strings.js";
import { SUMMARY_STRINGS as strings } from "../../strings/summary-strings.js";
import { Notice, ProblemBanner, ProblemNotice } from "../parts/notice.js";
import { BytesSection } from "./bytes-section.js";
import { ContextSection } from "./context-section.js";
import { DiagnosisSection } from "./diagnosis-section.js";
import { Figures } from "./figures.js";
import { MissesSection } from "./misses-section.js";
import { MoneySection } from "./money-section.js";
import { SkeletonSection } from "./skeleton.js";
import styles from "./summary.module.css";
import { TimeSection } from "./time-section.js";
import { WasteSection } from "./waste-section.js";

interface SummaryViewProps {
  readonly route: SessionRoute;
  readonly session: SessionState | undefined;
}

/** Displays facts as they become available, each in its own position. */
export default function SummaryView({ route, session }: SummaryViewProps) {
  const events = session?.events ?? 0;
  const { state, retry } = useSummary(route, events);
  const { summary, problem } = state ?? {};
  const diagnosis = useDiagnosis(session, summary);
  if (summary === undefined && problem !== undefined)
    return <ProblemNotice problem={problem} onRetry={retry} />;
  const agentName = (id: string) =>
    session?.tracedAgents.find((agent) => agent.id === id)?.name ||
    summary?.agents.find(({ agentId }) => agentId === id)?.name ||
    id;
  return (
    <div className={styles.view}>
      {problem !== undefined && <ProblemBanner problem={problem} />}
      <Figures figures={summaryFigures(summary, session)} summary={summary} />
      <div className={styles.whole}>
        <DiagnosisSection
          route={route}
          diagnosis={diagnosis}
          errors={loadedErrors(session)}
          refused={summary?.counts.refusedToolCalls ?? 0}
          agentName={agentName}
        />
      </div>
      {summary === undefined ? (
        // Content above it may grow: a new key avoids a jump.
        <Pending
          key={`${diagnosis?.causes.length} ${session?.totals.errors} ${session?.item?.errors}`}
          events={events}
        />
      ) : (
        <Sections route={route} summary={summary} events={events} />
      )}
    </div>
  );
}

interface SectionsProps {
  readonly route: SessionRoute;
  readonly summary: SessionSummary;
  readonly events: number;
}

function Sections({ route, summary, events }: SectionsProps) {
  const hasCalls = summary.counts.modelCalls > 0;
  return (
    <>
      <div className={styles.column}>
        {hasCalls && <MoneySection route={route} summary={summary} events={events} />}
        {hasCalls && <ContextSection route={route} summary={summary} />}
        {!hasCalls && <Notice title={strings.nothing}>{strings.nothingHint}</Notice>}
      </div>
      <div className={styles.column}>
        <TimeSection route={route} summary={summary} />
        {hasCalls && <MissesSection route={route} summary={summary} />}
        <WasteSection route={route} summary={summary} />
        <BytesSection route={route} summary={summary} />
      </div>
    </>
  );
}

/** Placeholders are separate elements, so that arriving sections do not move. */
function Pending({ events }: { readonly events: number }) {
  return (
    <>
      <p className={styles.progress} role="status" title={strings.loadingHint}>
        {strings.loading}
        {events > 0 && <span aria-hidden="true"> · {DIAGNOSIS_STRINGS.read(formatCount(events))}</span>}
      </p>
      <div className={styles.column}>
        <SkeletonSection title={strings.money} lines={3} />
        <SkeletonSection title={strings.context} lines={10} />
      </div>
      <div className={styles.column}>
        <SkeletonSection title={strings.timeTitle} lines={6} />
        <SkeletonSection title={strings.misses} lines={3} />
        <SkeletonSection title={strings.waste} lines={5} />
      </div>
    </>
  );
}

function loadedErrors(session: SessionState | undefined) {
  if (session === undefined) return undefined;
  const { item, loading, totals } = session;
  if (!loading) return { count: totals.errors, areAll: true };
  if (item?.errors !== undefined && !isUnfinished(item)) return { count: item.errors, areAll: true };
  return { count: totals.errors, areAll: false };
}

/** From the trace or the summary, whichever comes first. A growing trace is newer than its summary. */
function useDiagnosis(
  session: SessionState | undefined,
  summary: SessionSummary | undefined,
): Diagnosis | undefined {
  const isRead = session !== undefined && !session.loading && session.events > 0;
  const isPriced = session?.cost !== undefined;
  const ofTrace = useAnswer(
    () => (isRead ? engine.call("sessionDiagnosis") : undefined),
    [isRead, session?.traceVersion, isPriced],
  );
  return isUnfinished(session?.item) ? (ofTrace ?? summary?.diagnosis) : (summary?.diagnosis ?? ofTrace);
}

/** Each summary of a running session reads all records. */
const LEAST_MS = 10_000;

/**
 * Requested at once, in parallel with the trace.
 * @param events a change reads the summary again
 * @returns no state until it has been read; `retry` reads it again at once
 */
function useSummary(
  { tenantId, sessionId }: SessionKey,
  events: number,
): { readonly state: SummaryState | undefined; retry(): void } {
  const [state, setState] = useState<SummaryState>();
  const [attempt, setAttempt] = useState(0);
  const due = useRef(0);
  const pending = useRef<Promise<void> | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new events and a new attempt are why it is read again
  useEffect(() => {
    let isOutdated = false;
    // One request at a time. An outdated answer is displayed nevertheless.
    const read = async () => {
      await pending.current;
      if (isOutdated) return;
      const waitMs = due.current - performance.now();
      if (waitMs > 0) timer = setTimeout(read, waitMs);
      else pending.current = engine.call("sessionSummary", { tenantId, sessionId }).then(take);
    };
    const take = (next: SummaryState) => {
      due.current = performance.now() + LEAST_MS;
      setState(next);
    };
    let timer = setTimeout(read);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [tenantId, sessionId, events, attempt]);
  const retry = () => {
    due.current = 0;
    setAttempt(attempt + 1);
  };
  return { state, retry };
}
