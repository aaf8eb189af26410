import { type ReactNode, Suspense, useState } from "react";
import type { JsonObject } from "../../../../src/domain/json/json.js";
import { useAnswer } from "../../app/use-answer.js";
import type { VisibleChanges } from "../../engine/messages/visible-changes.js";
import { STRINGS } from "../../strings/strings.js";
import { ErrorBoundary } from "../parts/error-boundary.js";
import { lazyView } from "../parts/lazy-view.js";

const FileChanges = lazyView(() => import("./file-changes.js"));

interface CallInputProps {
  ask(): Promise<VisibleChanges | undefined>;
  /** A change repeats the request. Default is a constant. */
  readonly version?: string | undefined;
  readonly recorded: ReactNode;
  rest(rest: JsonObject): ReactNode;
}

/** As changes of files if possible, else as recorded. */
export function CallInput({ ask, version, recorded, rest }: CallInputProps) {
  const [asRecorded, setAsRecorded] = useState(false);
  const changes = useAnswer(
    () =>
      ask().then(
        (changes) => changes ?? "none",
        () => "none" as const,
      ),
    [version],
  );
  if (changes === undefined) return null;
  if (changes === "none") return recorded;
  return (
    <>
      {asRecorded ? (
        recorded
      ) : (
        <ErrorBoundary fallback={recorded}>
          <Suspense fallback={null}>
            <FileChanges changes={changes} />
          </Suspense>
          {Object.keys(changes.rest).length > 0 && rest(changes.rest)}
        </ErrorBoundary>
      )}
      <button type="button" onClick={() => setAsRecorded(!asRecorded)}>
        {asRecorded ? STRINGS.changes.asChanges : STRINGS.changes.asRecorded}
      </button>
    </>
  );
}
