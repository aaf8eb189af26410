import { type ReactNode, useId } from "react";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import type { SourceReport } from "../../../../src/domain/session/source-report.js";
import { AT_LEAST, formatCount } from "../../../../src/domain/text/figures.js";
import { sessionAddress } from "../../model/address/address.js";
import { SOURCES_STRINGS as strings } from "../../strings/sources-strings.js";
import { Instant } from "../parts/instant.js";
import { DueSessions } from "./due-sessions.js";
import styles from "./sources-view.module.css";

/** Empty without facts besides the figures. */
export function SourceFacts({ source }: { readonly source: SourceReport }) {
  const id = useId();
  const { name = strings.nameless, retention, unknownRecords, problems, gone } = source;
  const isDue = (retention?.due?.sessions ?? 0) > 0;
  if (!isDue && unknownRecords.length + problems.length + gone.length === 0) return null;
  return (
    <section className={styles.facts} aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      {isDue && <DueSessions source={source} />}
      <UnknownRecordTypes source={source} />
      <Problems source={source} />
      <GoneSessions source={source} />
    </section>
  );
}

interface FactListProps {
  readonly title: string;
  readonly hint?: string;
  readonly count: number;
  readonly isPartial: boolean;
  readonly listed: number;
  readonly children: ReactNode;
}

function FactList({ title, hint, count, isPartial, listed, children }: FactListProps) {
  const id = useId();
  return (
    <div>
      <h3 id={id}>
        {title} <small>{`${isPartial ? AT_LEAST : ""}${formatCount(count)}`}</small>
      </h3>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      <ul className={styles.list} aria-labelledby={id}>
        {children}
        {listed < count && <li>{strings.more(formatCount(count - listed))}</li>}
      </ul>
    </div>
  );
}

function SessionLink({ session, children }: { readonly session: SessionKey; readonly children: ReactNode }) {
  return <a href={sessionAddress(session, "trace")}>{children}</a>;
}

function UnknownRecordTypes({ source }: { readonly source: SourceReport }) {
  const { unknownRecords, unknownRecordCount, isComplete } = source;
  if (unknownRecords.length === 0) return null;
  const listed = unknownRecords.reduce((sum, { records }) => sum + records, 0);
  return (
    <FactList
      title={strings.unknownRecords}
      hint={strings.unknownRecordsHint}
      count={unknownRecordCount}
      isPartial={!isComplete}
      listed={listed}
    >
      {unknownRecords.map(({ type, records, sessions, example }) => (
        <li key={type}>
          <code>{type}</code> {strings.record(formatCount(records), formatCount(sessions))},{" "}
          <SessionLink session={example}>{strings.example}</SessionLink>
        </li>
      ))}
    </FactList>
  );
}

function Problems({ source: { problems, problemCount, isComplete } }: { readonly source: SourceReport }) {
  if (problems.length === 0) return null;
  return (
    <FactList title={strings.problems} count={problemCount} isPartial={!isComplete} listed={problems.length}>
      {problems.map(({ reason, count, session, file, line }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike
        <li key={i}>
          {file !== undefined && <code>{line === undefined ? file : `${file}:${line}`}</code>} {reason}
          {count > 1 && ` (${strings.times(formatCount(count))})`}
          {session !== undefined && (
            <>
              {", "}
              <SessionLink session={session}>{strings.inSession}</SessionLink>
            </>
          )}
        </li>
      ))}
    </FactList>
  );
}

function GoneSessions({ source: { gone, goneCount } }: { readonly source: SourceReport }) {
  if (gone.length === 0) return null;
  return (
    <FactList
      title={strings.gone}
      hint={strings.goneHint}
      count={goneCount}
      isPartial={false}
      listed={gone.length}
    >
      {gone.map(({ sessionId, tenantId, title, directory, lastActive, namedIn }) => (
        <li key={`${tenantId} ${sessionId}`}>
          {title ?? <code>{sessionId}</code>}
          <small>
            {directory !== undefined && <code>{directory}</code>}{" "}
            {lastActive !== undefined && <Instant at={Date.parse(lastActive)} now={Date.now()} />}{" "}
            {strings.goneIn(namedIn)}
          </small>
        </li>
      ))}
    </FactList>
  );
}
