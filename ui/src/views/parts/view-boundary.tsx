import { type ReactNode, useSyncExternalStore } from "react";
import { replacement } from "../../app/page-files.js";
import { errorText, isMissingFile } from "../../model/text/error-text.js";
import { STRINGS } from "../../strings/strings.js";
import { ErrorBoundary } from "./error-boundary.js";
import { Notice, ReloadButton } from "./notice.js";
import styles from "./notice.module.css";

interface ViewBoundaryProps {
  readonly name: string;
  /** API address of the view's data. None by default. */
  readonly json?: string | undefined;
  readonly children: ReactNode;
}

/**
 * Files are missing while the application is away, or after another build. Other errors are faults of the view: the notice has the error,
 * and a link to the data as JSON.
 */
export function ViewBoundary({ name, json, children }: ViewBoundaryProps) {
  return (
    <ErrorBoundary
      fallback={({ error, isLasting, retry }) =>
        isMissingFile(error) ? (
          <MissingFile error={error} isLasting={isLasting} />
        ) : (
          <Fault name={name} json={json} error={error} onRetry={retry} />
        )
      }
    >
      {children}
    </ErrorBoundary>
  );
}

function MissingFile({ error, isLasting }: { readonly error: unknown; readonly isLasting: boolean }) {
  const { problems } = STRINGS;
  const isReplaced = useSyncExternalStore(replacement.subscribe, replacement.get);
  return (
    <Notice title={problems.fileMissing}>
      <p>{isLasting || isReplaced ? problems.pageReplaced : problems.fileMissingHint}</p>
      <p className={styles.detail}>{errorText(error)}</p>
      {!isReplaced && <ReloadButton />}
    </Notice>
  );
}

/** After another build, code that is not loaded yet may be gone. */
export function ReplacedBanner() {
  const { problems } = STRINGS;
  if (!useSyncExternalStore(replacement.subscribe, replacement.get)) return null;
  return (
    <p className={styles.banner} role="alert">
      {problems.newPage} <ReloadButton />
    </p>
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
