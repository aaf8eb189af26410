import { type ReactNode, useEffect, useRef } from "react";
import { apiBase } from "../../app/engine.js";
import { errorText, isMissingFile } from "../../model/error-text.js";
import { STRINGS } from "../../strings/strings.js";
import { ErrorBoundary } from "./error-boundary.js";
import { Notice } from "./notice.js";
import styles from "./notice.module.css";

interface ViewBoundaryProps {
  /** What the view is called. */
  readonly name: string;
  /** Where the API has what the view shows, as JSON. Default is that there is no such address. */
  readonly json?: string | undefined;
  readonly children: ReactNode;
}

/** How long a service that is away is left alone. */
const RETRY_MS = 2500;
/** A file that the service does not give though it answers is one of another build of the page. */
const MOST_TRIES = 3;

/**
 * In the place of a view that failed. A view loads files of its own; they are missing while the application is away, and once another build of
 * the page has replaced this one: it comes by itself as soon as the service answers. Everything else is a fault of the view: it says which, and what it
 * says of itself; what it should have shown is there as JSON.
 */
export function ViewBoundary({ name, json, children }: ViewBoundaryProps) {
  const tries = useRef(0);
  return (
    <ErrorBoundary
      fallback={({ error, retry }) =>
        isMissingFile(error) ? (
          <MissingFile
            error={error}
            isNewer={tries.current >= MOST_TRIES}
            onBack={() => {
              tries.current++;
              retry();
            }}
          />
        ) : (
          <Fault name={name} json={json} error={error} onRetry={retry} />
        )
      }
    >
      {children}
    </ErrorBoundary>
  );
}

interface MissingFileProps {
  readonly error: unknown;
  readonly isNewer: boolean;
  /** Called when the service answers. */
  onBack(): void;
}

function MissingFile({ error, isNewer, onBack }: MissingFileProps) {
  const { problems } = STRINGS;
  const back = useRef(onBack);
  back.current = onBack;
  useEffect(() => {
    if (isNewer) return;
    const asking = new AbortController();
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const { signal } = asking;
      const isThere = await fetch(`${apiBase()}/health`, { cache: "no-store", signal }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isThere && !signal.aborted) back.current();
    }, RETRY_MS);
    return () => {
      clearInterval(timer);
      asking.abort();
    };
  }, [isNewer]);
  return (
    <Notice title={problems.fileMissing}>
      <p>{isNewer ? problems.pageReplaced : problems.fileMissingHint}</p>
      <p className={styles.detail}>{errorText(error)}</p>
      <button type="button" onClick={() => location.reload()}>
        {problems.reload}
      </button>
    </Notice>
  );
}

interface FaultProps {
  readonly name: string;
  readonly json: string | undefined;
  readonly error: unknown;
  onRetry(): void;
}

function Fault({ name, json, error, onRetry }: FaultProps) {
  const { problems } = STRINGS;
  return (
    <Notice title={problems.viewFailed(name)}>
      <p>{problems.viewFailedHint}</p>
      <p className={styles.detail}>{errorText(error)}</p>
      <button type="button" onClick={onRetry}>
        {problems.again}
      </button>{" "}
      {json !== undefined && (
        <a href={json} target="_blank" rel="noreferrer">
          {problems.showJson}
        </a>
      )}
    </Notice>
  );
}
