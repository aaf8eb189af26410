import { useEffect, useState } from "react";
import { keyText, type SessionKey } from "../../../../src/domain/session/session-key.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { useKeys } from "../../app/use-keys.js";
import { type CompareRoute, compareAddress, sessionAddress } from "../../model/address/address.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { tenantName } from "../../model/text/tenant-name.js";
import { COMPARE_STRINGS as strings } from "../../strings/compare-strings.js";
import { CopyForAgent, copyForAgent } from "../parts/copy-for-agent.js";
import { Notice, ProblemNotice } from "../parts/notice.js";
import { addingAddress } from "./adding-address.js";
import { AlignedSteps } from "./aligned-steps.js";
import styles from "./compare-view.module.css";
import { ComparedFacts, ComparedFiles, ComparedTools } from "./compared-tables.js";
import { ContextCurves } from "./context-curves.js";
import { FirstDifference } from "./first-difference.js";
import { GroupComparison } from "./group-comparison.js";
import { SessionChoice } from "./session-choice.js";

export default function CompareView({ route }: { readonly route: CompareRoute }) {
  return (
    <div className={styles.view}>
      <Compared route={route} />
    </div>
  );
}

function Compared({ route }: { readonly route: CompareRoute }) {
  const { others, query } = route;
  const [other, ...more] = others;
  if (other === undefined || query.add === "1") {
    return <SessionChoice key={keyText(route)} one={route} others={others} />;
  }
  if (more.length > 0) return <GroupComparison route={route} />;
  return <Comparison route={route} other={other} />;
}

interface ComparisonProps {
  readonly route: CompareRoute;
  readonly other: SessionKey;
}

function Comparison({ route, other }: ComparisonProps) {
  const { read, retry } = useComparison(route, other);
  useKeys({ y: () => void copyForAgent({ session: route, other }) });
  if (read === undefined) return <Notice title={strings.loading} later={strings.loadingLong} />;
  if ("problem" in read) return <ProblemNotice problem={read.problem} onRetry={retry} />;
  const { comparison, items } = read;
  return (
    <>
      <header className={styles.header}>
        <h1>{strings.title}</h1>
        <a href={compareAddress(other, route)}>{strings.swap}</a>
        <a href={compareAddress(route, undefined)}>{strings.chooseOther}</a>
        <a href={addingAddress(route)}>{strings.addSession}</a>
        <CopyForAgent session={route} other={other} hasKey />
      </header>
      <ol className={styles.sessions}>
        {comparison.sessions.map((session, i) => (
          <li key={strings.names[i]} data-side={strings.names[i]}>
            <b>{strings.names[i]}</b>
            <a href={sessionAddress(session)}>
              {(items[i] && sessionTitle(items[i])) ?? <code>{session.sessionId}</code>}
            </a>
            <small>{tenantName(items[i] ?? session).name}</small>
          </li>
        ))}
      </ol>
      <FirstDifference comparison={comparison} />
      <AlignedSteps key={keyText(route, other)} comparison={comparison} query={route.query} />
      <ContextCurves comparison={comparison} query={route.query} />
      <ComparedFacts comparison={comparison} />
      <ComparedTools tools={comparison.tools} />
      <ComparedFiles files={comparison.files} />
    </>
  );
}

const RETRY_MS = 5_000;

/** Once, because it reads both histories completely; again after a failure, and on demand. */
function useComparison(one: SessionKey, other: SessionKey) {
  const key = keyText(one, other.tenantId, other.sessionId);
  const [tries, setTries] = useState(0);
  const answer = useAnswer(async () => {
    const { tenantId, sessionId } = one;
    return { key, read: await engine.call("compareSessions", { tenantId, sessionId }, other) };
  }, [key, tries]);
  const isFailed = answer?.key === key && "problem" in answer.read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure counts anew
  useEffect(() => {
    if (!isFailed) return;
    const timer = setTimeout(() => setTries((before) => before + 1), RETRY_MS);
    return () => clearTimeout(timer);
  }, [isFailed, answer]);
  const retry = () => setTries((before) => before + 1);
  return { read: answer?.key === key ? answer.read : undefined, retry };
}
