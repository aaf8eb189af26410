import { useState } from "react";
import type {
  DiagnosedCause,
  DiagnosedLoop,
  Diagnosis,
  ErrorGroup,
  ErrorPlace,
} from "../../../../src/domain/diagnosis/session-diagnosis.js";
import {
  formatCost,
  formatCount,
  formatDuration,
  formatTokens,
} from "../../../../src/domain/text/figures.js";
import { partOfStep } from "../../app/share-request.js";
import { type SessionRoute, sessionAddress } from "../../model/address/address.js";
import { diagnosisLines, outcomesOf, verdictOf } from "../../model/summary/diagnosis-lines.js";
import { DIAGNOSIS_STRINGS as strings } from "../../strings/diagnosis-strings.js";
import { SHARE_STRINGS } from "../../strings/share-strings.js";
import { CopyForAgent } from "../parts/copy-for-agent.js";
import styles from "./diagnosis.module.css";
import { Section } from "./section.js";
import { SkeletonLines } from "./skeleton.js";

interface DiagnosisSectionProps {
  readonly route: SessionRoute;
  readonly diagnosis: Diagnosis | undefined;
  readonly errors: { readonly count: number; readonly areAll: boolean } | undefined;
  readonly refused: number;
  agentName(agentId: string): string;
}

const SHORT = 5;

export function DiagnosisSection({ route, diagnosis, errors, refused, agentName }: DiagnosisSectionProps) {
  const [isComplete, setComplete] = useState(false);
  if (diagnosis === undefined) return <Pending errors={errors} />;
  const all = diagnosisLines(diagnosis);
  const visible = isComplete ? all : all.slice(0, SHORT);
  return (
    <Section
      title={strings.title}
      mark={headline(diagnosis)}
      hint={refused > 0 ? strings.refused(formatCount(refused)) : undefined}
    >
      {visible.length > 0 && (
        <ul className={styles.causes}>
          {visible.map(({ key, cause, loop }) => (
            <li key={key}>
              {cause !== undefined && <Cause route={route} cause={cause} agentName={agentName} />}
              {loop !== undefined && <Loop route={route} loop={loop} />}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.foot}>
        {all.length > SHORT && (
          <button type="button" onClick={() => setComplete(!isComplete)} aria-expanded={isComplete}>
            {isComplete ? strings.less : strings.more(formatCount(all.length - SHORT))}
          </button>
        )}
        {diagnosis.unlistedErrors > 0 && (
          <span>{strings.unlisted(formatCount(diagnosis.unlistedErrors))}</span>
        )}
        {diagnosis.errors > 0 && (
          <a href={sessionAddress(route, "trace", { errors: "1" })}>
            {strings.all(formatCount(diagnosis.errors))}
          </a>
        )}
        {diagnosis.errors > 0 && (
          <CopyForAgent session={route} only="errors" label={SHARE_STRINGS.agent.errors} />
        )}
      </p>
    </Section>
  );
}

function headline({ errors, causeCount, loops }: Diagnosis): string {
  const looped = loops.length === 0 ? [] : [strings.loops(formatCount(loops.length))];
  const failed =
    errors === 0 ? strings.nothing : strings.counts(formatCount(errors), formatCount(causeCount));
  return [failed, ...looped].join(", ");
}

function Pending({ errors }: Pick<DiagnosisSectionProps, "errors">) {
  if (errors?.areAll === true && errors.count === 0)
    return (
      <Section title={strings.title} mark={strings.nothing}>
        {null}
      </Section>
    );
  const exactErrors = errors === undefined || (errors.count === 0 && !errors.areAll) ? undefined : errors;
  const count =
    exactErrors === undefined
      ? []
      : [strings.errors(formatCount(exactErrors.count)), ...(exactErrors.areAll ? [] : [strings.soFar])];
  return (
    <Section title={strings.title} mark={count.join(" ")} isBusy>
      <p className={styles.foot}>{strings.finding}</p>
      <SkeletonLines count={2 * Math.min(SHORT, exactErrors?.count ?? 1)} />
    </Section>
  );
}

interface CauseProps {
  readonly route: SessionRoute;
  agentName(agentId: string): string;
}

function Cause({ route, cause, agentName }: CauseProps & { readonly cause: DiagnosedCause }) {
  const verdict = verdictOf(cause);
  const { sameCall, inARow, isRootUnknown, consequences } = cause;
  const notes = [
    ...(sameCall > 2 ? [strings.sameCall(formatCount(sameCall))] : []),
    ...(inARow > 2 ? [strings.inARow(formatCount(inARow))] : []),
    ...(isRootUnknown ? [strings.rootUnknown] : []),
  ];
  return (
    <>
      <Line route={route} group={cause}>
        <span className={styles.verdict} data-verdict={verdict}>
          {strings.verdicts[verdict]}
        </span>
      </Line>
      <p className={styles.notes}>
        <span>{[...notes, ...groupNotes(cause, agentName)].join(" · ")}</span>
        <CopyForAgent session={route} only={partOfStep(cause.first.stepId)} />
      </p>
      {consequences.length > 0 && (
        <ul className={styles.consequences} aria-label={strings.becauseOf}>
          {consequences.map((group) => (
            <li key={`${group.kind} ${group.cause}`}>
              <Line route={route} group={group} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Line({
  route,
  group,
  children,
}: {
  readonly route: SessionRoute;
  readonly group: ErrorGroup;
  readonly children?: React.ReactNode;
}) {
  const { kind, name, cause, count, first } = group;
  return (
    <p className={styles.line}>
      {children}
      {count > 1 && <b className={styles.count}>{strings.times(formatCount(count))}</b>}
      <a href={sessionAddress(route, "trace", { event: first.stepId })} title={cause}>
        <span className={styles.name}>{name || strings.kinds[kind]}</span> {cause}
      </a>
    </p>
  );
}

function Loop({
  route,
  loop: { name, subject, times, ms, first },
}: {
  readonly route: SessionRoute;
  readonly loop: DiagnosedLoop;
}) {
  return (
    <>
      <p className={styles.line}>
        <span className={styles.verdict} data-verdict="unknown">
          {strings.verdicts.loop}
        </span>
        <a href={sessionAddress(route, "trace", { event: first.stepId })} title={subject}>
          <span className={styles.name}>{name}</span> {subject}
        </a>
      </p>
      <p className={styles.notes}>
        {[
          strings.sameResult(formatCount(times)),
          ...placeNotes(first),
          ...(ms > 0 ? [strings.took(formatDuration(ms))] : []),
        ].join(" · ")}
      </p>
    </>
  );
}

function groupNotes(group: ErrorGroup, agentName: (agentId: string) => string): readonly string[] {
  const { count, first, ms, tokens, usd, unpricedTokens, uncountedErrors } = group;
  const isPriced = usd > 0 || unpricedTokens === 0;
  return [
    ...(count === 1 && verdictOf(group) !== "recovered"
      ? []
      : outcomesOf(group).map(([outcome, n]) => strings.outcomes[outcome](formatCount(n)))),
    ...(first.agentId === "" ? [] : [strings.agent(agentName(first.agentId))]),
    ...placeNotes(first),
    ...(ms > 0 ? [strings.took(formatDuration(ms))] : []),
    ...(tokens > 0 ? [strings.tokens(formatTokens(tokens))] : []),
    ...(tokens > 0 && isPriced ? [formatCost({ usd, unpricedTokens })] : []),
    ...(uncountedErrors > 0 && uncountedErrors < count
      ? [strings.uncounted(formatCount(uncountedErrors))]
      : []),
  ];
}

function placeNotes({ turn }: ErrorPlace): readonly string[] {
  return turn === undefined ? [] : [strings.firstIn(strings.turn(formatCount(turn)))];
}
