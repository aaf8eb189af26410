import type { ReactNode } from "react";
import type { ApiProblem } from "../../api/api-problem.js";
import { apiBase } from "../../app/engine.js";
import { STRINGS } from "../../strings/strings.js";
import { ErrorBoundary } from "./error-boundary.js";
import styles from "./notice.module.css";

interface NoticeProps {
  readonly title: string;
  /** Shown after a few seconds, when it takes longer than expected. */
  readonly later?: string;
  readonly children?: ReactNode;
}

/** In the place of a view: why there is nothing, and what to do next. */
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

/** In the place of a view: what went wrong. */
export function ProblemNotice({ problem, onRetry }: ProblemProps) {
  const { problems } = STRINGS;
  const hints = {
    unreachable: problems.unreachableHint(apiBase()),
    missing: problems.missingHint,
    failed: problems.failedHint,
    broken: problems.brokenHint,
  };
  return (
    <Notice title={problems[problem.kind]}>
      <p>{hints[problem.kind]}</p>
      <p className={styles.detail}>{problem.detail}</p>
      <button type="button" onClick={onRetry}>
        {problems.retry}
      </button>{" "}
      {problem.kind === "missing" && <a href="#/">{STRINGS.toSessions}</a>}
    </Notice>
  );
}

/** Above a view that still shows what was loaded before. */
export function ProblemBanner({ problem }: { readonly problem: ApiProblem }) {
  const { problems } = STRINGS;
  const message =
    problem.kind === "unreachable" ? problems.lost : `${problems[problem.kind]}: ${problem.detail}`;
  return (
    <p className={styles.banner} role="alert">
      {message}
    </p>
  );
}

/**
 * In the place of a view that failed to render. A view loads files of its own; they are missing while the application is
 * away, and once another build of the page has replaced this one. Loading the page again helps in both cases.
 */
export function ViewBoundary({ children }: { readonly children: ReactNode }) {
  const { problems } = STRINGS;
  const failed = (
    <Notice title={problems.viewFailed}>
      <p>{problems.viewFailedHint}</p>
      <button type="button" onClick={() => location.reload()}>
        {problems.reload}
      </button>
    </Notice>
  );
  return <ErrorBoundary fallback={failed}>{children}</ErrorBoundary>;
}
