import { useRef } from "react";
import { sumSizes } from "../../../../src/domain/conversation/context-messages.js";
import { formatEstimate, formatTokens } from "../../../../src/domain/text/figures.js";
import { changeAddress } from "../../app/address-store.js";
import { useAnnounced } from "../../app/announcer.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { useMessages } from "../../app/use-engine.js";
import { useKeys } from "../../app/use-keys.js";
import { useOnceReady } from "../../app/use-once-ready.js";
import type { CallRow, ContextCalls } from "../../engine/messages/message-protocol.js";
import {
  type AddressQuery,
  changeQuery,
  type SessionRoute,
  sessionAddress,
  speakerOf,
} from "../../model/address/address.js";
import { type CallRange, type CallSelection, extended, rangeOf } from "../../model/charts/chart-point.js";
import { CONTEXT_STRINGS } from "../../strings/context-strings.js";
import { CONVERSATION_STRINGS } from "../../strings/conversation-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { AgentHead } from "../conversation/agent-head.js";
import { Instant } from "../parts/instant.js";
import { Notice, ProblemNotice } from "../parts/notice.js";
import { Skeleton } from "../parts/skeleton.js";
import type { TabProps } from "../parts/tab-props.js";
import { ContextComparisonView } from "./context-comparison.js";
import styles from "./context-view.module.css";
import { GrowthBars } from "./growth-bars.js";

const { context: strings } = STRINGS;

export default function ContextView({ route, session }: TabProps) {
  const { query } = route;
  const agentId = speakerOf(query);
  const conversation = useMessages(session.messagesVersion, agentId);
  const messagesVersion = conversation?.version;
  const calls = useAnswer(
    () => (messagesVersion === undefined ? undefined : engine.call("contextCalls", agentId)),
    [messagesVersion, session.traceVersion, session.cost],
  );
  const count = calls?.calls.length ?? 0;
  const call = chosenCall(query, calls);
  const { base, range } = chosenBase(query, call, count);
  const change = (changes: AddressQuery) => changeAddress(changeQuery(query, { event: "", ...changes }));
  const choose = (n: number) => change({ call: String(n + 1) });
  const compare = ({ from, to }: CallRange) => change({ base: String(from + 1), call: String(to + 1) });
  const callByCall = () => change({ base: "" });
  const selection = useRef<CallSelection | undefined>(undefined);
  // While calls are loading, each would become the last one in turn.
  const isLoading =
    session.loading || calls === undefined || conversation === undefined || conversation.loading;
  /** @param withShift selects the calls in between */
  const step = useOnceReady(!isLoading && count > 0, (by: number, withShift = false) => {
    if (!withShift) return choose(Math.min(count - 1, Math.max(0, call + by)));
    selection.current = extended(selection.current, range, call, by, count);
    const selected = rangeOf(selection.current.anchor, selection.current.cursor);
    if (selected !== undefined) compare(selected);
    else change({ base: "", call: String(selection.current.cursor + 1) });
  });
  useAnnounced(range && CONTEXT_STRINGS.compared(range.to + 1, range.from + 1));
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    "]": () => step(1),
    "[": () => step(-1),
    ArrowRight: ({ shiftKey }) => step(1, shiftKey),
    ArrowLeft: ({ shiftKey }) => step(-1, shiftKey),
    Escape: query.base === undefined ? undefined : callByCall,
  });

  const head = agentId !== "" && (
    <AgentHead route={route} session={session} agentId={agentId} isOpen={false} />
  );
  if (isLoading || count === 0) {
    return (
      <>
        {head}
        {conversation?.problem !== undefined ? (
          <ProblemNotice problem={conversation.problem} onRetry={() => engine.call("pollSession")} />
        ) : (
          <NoContexts isLoading={isLoading} isAgent={agentId !== ""} />
        )}
      </>
    );
  }
  return (
    <div className={styles.view}>
      {head}
      <GrowthBars
        calls={calls.calls}
        call={call}
        base={base}
        range={range}
        version={session}
        window={calls.window}
        onChoose={choose}
        onStep={step}
        onCompare={compare}
      />
      <CallStepper
        calls={calls.calls}
        call={call}
        base={base}
        route={route}
        onStep={step}
        onChange={change}
      />
      <ContextComparisonView
        route={route}
        session={session}
        base={base}
        call={call}
        version={conversation?.version ?? 0}
      />
      <footer className={styles.footer}>
        {strings.estimated} {calls.unseenCalls > 0 && strings.unseen(calls.unseenCalls)}
      </footer>
    </div>
  );
}

function NoContexts({ isLoading, isAgent }: { readonly isLoading: boolean; readonly isAgent: boolean }) {
  if (isLoading) return <Skeleton label={STRINGS.loading.context} />;
  const { noContext, noContextHint } = CONVERSATION_STRINGS;
  return (
    <Notice title={isAgent ? noContext : strings.none}>{isAgent ? noContextHint : strings.noneHint}</Notice>
  );
}

function chosenCall(query: AddressQuery, existing: ContextCalls | undefined): number {
  const calls = existing?.calls ?? [];
  const last = calls.length - 1;
  if (query.call !== undefined) return Math.min(last, Math.max(0, (Number(query.call) || 1) - 1));
  if (query.event === undefined) return last;
  const exact = calls.findIndex(({ spanId }) => spanId === query.event);
  if (exact !== -1) return exact;
  const at = Number(query.time);
  const before = calls.findLastIndex((call) => call.at !== undefined && call.at <= at);
  return before === -1 ? last : before;
}

function chosenBase(query: AddressQuery, call: number, count: number) {
  const named = Number(query.base) - 1;
  if (!Number.isInteger(named) || named >= count) return { base: call - 1, range: undefined };
  return { base: named, range: named < 0 ? undefined : rangeOf(named, call) };
}

function CompactionJump({ calls, call, onChange }: Pick<CallStepperProps, "calls" | "call" | "onChange">) {
  const compacted = [...calls.keys()].filter((at) => calls[at]!.compacted);
  if (compacted.length === 0) return null;
  const next = compacted.find((at) => at > call) ?? compacted[0]!;
  return (
    <button
      type="button"
      data-tip={CONTEXT_STRINGS.nextCompaction}
      onClick={() => onChange({ call: String(next + 1), base: "" })}
    >
      {STRINGS.trace.compactions(compacted.length)} <span aria-hidden="true">↓</span>
    </button>
  );
}

interface CallStepperProps {
  readonly calls: readonly CallRow[];
  readonly call: number;
  readonly base: number;
  readonly route: SessionRoute;
  onStep(by: number): void;
  onChange(changes: AddressQuery): void;
}

function CallStepper({ calls, call, base, route, onStep, onChange }: CallStepperProps) {
  const row = calls[call]!;
  return (
    <section className={styles.stepper} aria-label={strings.stepper}>
      <div className={styles.steps}>
        <button
          type="button"
          aria-label={strings.previous}
          title={`${strings.previous} ([)`}
          disabled={call === 0}
          onClick={() => onStep(-1)}
        >
          ‹
        </button>
        <strong aria-live="polite">{strings.call(call + 1, calls.length)}</strong>
        <button
          type="button"
          aria-label={strings.next}
          title={`${strings.next} (])`}
          disabled={call === calls.length - 1}
          onClick={() => onStep(1)}
        >
          ›
        </button>
        <label>
          {strings.base}{" "}
          <input
            type="number"
            min={0}
            max={calls.length}
            value={base + 1}
            onChange={(event) => onChange({ base: event.currentTarget.value })}
          />
        </label>
        {route.query.base !== undefined && (
          <button type="button" title={CONTEXT_STRINGS.callByCallHint} onClick={() => onChange({ base: "" })}>
            {CONTEXT_STRINGS.callByCall}
          </button>
        )}
        <CompactionJump calls={calls} call={call} onChange={onChange} />
        {row.compacted && <mark title={strings.compactedHint}>{strings.compacted}</mark>}
        {row.isRecorded && <span title={strings.recordedHint}>{strings.recorded}</span>}
      </div>
      <div className={styles.facts}>
        {row.at !== undefined && <Instant at={row.at} />}
        <span>{strings.messages(row.messages)}</span>
        <span>{formatEstimate(sumSizes(row.sizes))}</span>
        {row.countedTokens !== undefined && <span>{strings.counted(formatTokens(row.countedTokens))}</span>}
        {row.prompt > 0 && <span>{strings.prompt(formatEstimate(row.prompt))}</span>}
        {row.unaccounted > 0 && <span>{strings.unaccounted(formatEstimate(row.unaccounted))}</span>}
        {row.spanId !== undefined && (
          <a href={sessionAddress(route, "trace", { event: row.spanId })}>{strings.inTrace}</a>
        )}
      </div>
      <p className={styles.answer}>
        <b>{strings.answer}</b> {row.answer}
      </p>
    </section>
  );
}
