import type { CallRow } from "../../engine/message-protocol.js";
import { type Query, type SessionRoute, sessionAddress } from "../../model/address.js";
import { sumSizes } from "../../model/context-calls.js";
import { formatTokens } from "../../model/formats.js";
import { STRINGS } from "../../strings.js";
import { Instant } from "../parts/instant.js";
import styles from "./context-view.module.css";

interface CallStepperProps {
  readonly calls: readonly CallRow[];
  readonly call: number;
  readonly base: number;
  readonly route: SessionRoute;
  onStep(by: number): void;
  onChange(changes: Query): void;
}

const { context: strings } = STRINGS;

/** Which call, compared with which, and how large it was. */
export function CallStepper({ calls, call, base, route, onStep, onChange }: CallStepperProps) {
  const row = calls[call]!;
  const beyond = (row.countedTokens ?? 0) - sumSizes(row.sizes);
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
            onChange={(event) => onChange({ base: event.target.value })}
          />
        </label>
        {route.query.base !== undefined && (
          <button type="button" onClick={() => onChange({ base: "" })}>
            {strings.theCallBefore}
          </button>
        )}
        {row.compacted && <mark title={strings.compactedHint}>{strings.compacted}</mark>}
      </div>
      <div className={styles.facts}>
        {row.at !== undefined && <Instant at={row.at} />}
        <span>{strings.messages(row.messages)}</span>
        <span>≈{formatTokens(sumSizes(row.sizes))}</span>
        {row.countedTokens !== undefined && <span>{strings.counted(formatTokens(row.countedTokens))}</span>}
        {beyond > 0 && <span>{strings.beyond(formatTokens(beyond))}</span>}
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
