import type { ReactNode } from "react";
import type {
  ComparedSession,
  DifferenceSide,
  SessionComparison,
  SessionDifference,
} from "../../../../src/domain/compare/session-comparison.js";
import { areUncounted } from "../../../../src/domain/cost/call-totals.js";
import { formatCount, formatDuration, formatTokens } from "../../../../src/domain/text/figures.js";
import { totalTokens } from "../../../../src/domain/usage/token-usage.js";
import { sessionAddress } from "../../model/address/address.js";
import { indentedJson } from "../../model/text/json-text.js";
import { COMPARE_STRINGS } from "../../strings/compare-strings.js";
import { STRINGS } from "../../strings/strings.js";
import TextDiff from "../context/text-diff.js";
import { costText } from "../summary/summary-texts.js";
import styles from "./first-difference.module.css";

const { difference: strings, names } = COMPARE_STRINGS;

export function FirstDifference({ comparison }: { readonly comparison: SessionComparison }) {
  const { difference, sessions, steps } = comparison;
  if (difference === null) {
    return (
      <section className={styles.difference}>
        <h2>{strings.none}</h2>
        <p>{strings.noneHint}</p>
      </section>
    );
  }
  return (
    <section className={styles.difference} aria-label={strings.title}>
      <h2>
        {strings.title}: {strings.kinds[difference.kind]}
      </h2>
      <p>{strings.at(formatCount(steps.divergences[0]?.row ?? 0))}.</p>
      <div className={styles.sides}>
        {sessions.map((session, i) => (
          <Side key={names[i]} name={names[i]!} session={session} side={difference.sides[i]!}>
            <After session={session} />
          </Side>
        ))}
      </div>
      <Texts sides={difference.sides} />
    </section>
  );
}

interface SideProps {
  readonly name: string;
  readonly session: ComparedSession;
  readonly side: DifferenceSide | null;
  readonly children: ReactNode;
}

function Side({ name, session, side, children }: SideProps) {
  return (
    <div data-side={name}>
      <h3>{name}</h3>
      {side === null ? (
        <p>{strings.ended}</p>
      ) : (
        <p>
          {strings.parts[side.part]} {side.toolName ?? STRINGS.messages.origins[side.origin]}
          {side.messageIndex >= 0 && (
            <>
              {" · "}
              <a href={sessionAddress(session, "messages", { at: String(side.messageIndex) })}>
                {strings.inMessages}
              </a>
            </>
          )}
          {side.stepId !== undefined && (
            <>
              {" · "}
              <a href={sessionAddress(session, "trace", { event: side.stepId })}>{strings.inTrace}</a>
            </>
          )}
        </p>
      )}
      {side !== null && side.cutBefore + side.cutBehind > 0 && (
        <p>{strings.cut(formatCount(side.cutBefore), formatCount(side.cutBehind))}</p>
      )}
      {children}
    </div>
  );
}

function After({ session: { fromDifference } }: { readonly session: ComparedSession }) {
  if (fromDifference === undefined) return <p>{strings.unknownAfter}</p>;
  const { ms, total } = fromDifference;
  return (
    <p>
      {strings.after}: {formatDuration(ms)},{" "}
      {areUncounted(total)
        ? STRINGS.noTokenCounts
        : `${formatTokens(totalTokens(total.usage))} ${STRINGS.header.tokens}, ${costText(total)}`}
    </p>
  );
}

/** Members of arguments are compared line by line. */
function Texts({ sides: [a, b] }: { readonly sides: SessionDifference["sides"] }) {
  const sideView = (side: DifferenceSide | null) =>
    side === null ? "" : (indentedJson(side.text) ?? side.text);
  return (
    <figure className={styles.texts}>
      <figcaption>{strings.diff}</figcaption>
      <TextDiff before={sideView(a)} after={sideView(b)} />
    </figure>
  );
}
