import { type ReactNode, useEffect, useRef } from "react";
import type { ApiProblem } from "../../api/api-problem.js";
import { apiBase } from "../../app/engine.js";
import { signInDocument } from "../../app/surroundings.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./notice.module.css";

interface NoticeProps {
  readonly title: string;
  readonly later?: string;
  readonly children?: ReactNode;
}

export function Notice({ title, later, children }: NoticeProps) {
  return (
    <div className={styles.notice} role="status">
      <h2>{title}</h2>
      <div>{children}</div>
      {later !== undefined && <p className={styles.later}>{later}</p>}
    </div>
  );
}

interface ProblemProps {
  readonly problem: ApiProblem;
  onRetry(): void;
}

const REFUSALS: ReadonlySet<ApiProblem["kind"]> = new Set(["tokenRequired", "signInRequired", "forbidden"]);

/** After no answer, or an invalid one. */
const RETRY_MS = 4000;

/** Repeats the request while visible. */
export function ProblemNotice({ problem, onRetry }: ProblemProps) {
  const { problems } = STRINGS;
  const retry = useRef(onRetry);
  retry.current = onRetry;
  const isLasting = problem.kind === "missing";
  useEffect(() => {
    if (isLasting) return;
    const timer = setInterval(() => document.hidden || retry.current(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isLasting]);
  const hints = {
    unreachable: problems.unreachableHint(apiBase()),
    missing: problems.missingHint,
    tokenRequired: problems.tokenRequiredHint,
    signInRequired: problems.signInRequiredHint,
    forbidden: problems.forbiddenHint,
    failed: problems.failedHint,
    broken: problems.brokenHint,
  };
  return (
    <Notice title={problems[problem.kind]}>
      <p>
        {hints[problem.kind]}
        {REFUSALS.has(problem.kind) && signInDocument !== undefined && (
          <>
            {" "}
            <a href={signInDocument} target="_blank" rel="noreferrer">
              {problems.signInDocument}
            </a>
          </>
        )}
      </p>
      <p className={styles.detail}>{problem.detail}</p>
      <button type="button" onClick={onRetry}>
        {problems.retry}
      </button>{" "}
      {problem.kind === "signInRequired" && <ReloadButton />}
      {problem.kind === "missing" && <a href="#/">{STRINGS.toSessions}</a>}
    </Notice>
  );
}

/** For a view that still displays earlier data. */
export function ProblemBanner({ problem }: { readonly problem: ApiProblem }) {
  const { problems } = STRINGS;
  const messages: { readonly [kind in ApiProblem["kind"]]?: string } = {
    unreachable: problems.lost,
    signInRequired: problems.signedOut,
  };
  return (
    <p className={styles.banner} role="alert">
      {messages[problem.kind] ?? `${problems[problem.kind]}: ${problem.detail}`}{" "}
      {problem.kind === "signInRequired" && <ReloadButton />}
    </p>
  );
}

export function ReloadButton() {
  return (
    <button type="button" onClick={() => location.reload()}>
      {STRINGS.problems.reload}
    </button>
  );
}
