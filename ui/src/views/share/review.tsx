import { useEffect, useState } from "react";
import { formatDuration } from "../../../../src/domain/text/figures.js";
import { SHARE_STRINGS as strings } from "../../strings/share-strings.js";
import { FindingsList } from "./findings-list.js";
import styles from "./share-dialog.module.css";
import type { Reviewed } from "./use-review.js";

interface ReviewProps {
  readonly reviewed: Reviewed;
  /** The session has changed since the decisions. */
  readonly isChanged: boolean;
}

export function Review({ reviewed, isChanged }: ReviewProps) {
  const { review, problem, retained: exceptions, setRetained: setExceptions, again } = reviewed;
  if (problem !== undefined) {
    return (
      <div className={styles.warning} role="alert">
        <p>
          {strings.failed}: {problem.detail}
        </p>
        <button type="button" onClick={again}>
          {strings.again}
        </button>
      </div>
    );
  }
  if (review === undefined) return <Looking />;
  const { findings } = review;
  return (
    <>
      {isChanged && (
        <p className={styles.changed} role="alert">
          {strings.changed}
        </p>
      )}
      {findings.length === 0 ? (
        <p className={styles.summary} role="status">
          <strong>{strings.nothing}</strong> <span>{strings.nothingHint}</span>
        </p>
      ) : (
        <FindingsList findings={findings} retained={exceptions} onRetained={setExceptions} />
      )}
    </>
  );
}

/** In seconds; after it, the elapsed time is displayed. */
const SHORT_S = 2;

function Looking() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const isLong = seconds > SHORT_S;
  return (
    <div className={styles.looking}>
      <p role="status">{strings.looking}</p>
      <progress aria-label={strings.looking} />
      {isLong && (
        <p>
          {formatDuration(seconds * 1_000)} · {strings.lookingLong}
        </p>
      )}
    </div>
  );
}
