import { useState } from "react";
import { formatCount } from "../../../../src/domain/text/figures.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { endpointAddress } from "../../api/endpoint-address.js";
import { announce } from "../../app/announcer.js";
import { apiBase, engine } from "../../app/engine.js";
import { isSharing, type SharedPart, visiblePart } from "../../app/share-request.js";
import type { ExportQuery } from "../../engine/share/read-export.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";
import type { OpenedRoute } from "../../model/address/address.js";
import { exceptionNames } from "../../model/share/reviewed-findings.js";
import { SHARE_STRINGS as strings } from "../../strings/share-strings.js";
import { CopyButton } from "../parts/copy-button.js";
import { CopyForAgent } from "../parts/copy-for-agent.js";
import { Dialog } from "../parts/dialog.js";
import { FormatChoice, type SharedFormat } from "./format-choice.js";
import { PartChoice } from "./part-choice.js";
import { Review } from "./review.js";
import styles from "./share-dialog.module.css";
import { useReview } from "./use-review.js";

interface ShareDialogProps {
  readonly route: OpenedRoute;
  readonly session: SessionState | undefined;
}

const close = () => isSharing.set(false);

/** By default, all findings are removed. */
export default function ShareDialog({ route, session }: ShareDialogProps) {
  const { tenantId, sessionId } = route;
  const [format, setFormat] = useState<SharedFormat>("html");
  const [only, setOnly] = useState<SharedPart | undefined>();
  const [isLeft, setLeft] = useState(false);
  const [isSure, setSure] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<ApiProblem>();
  const reviewed = useReview(route, only, !isLeft);
  const { review, retained: exceptions } = reviewed;
  const isReady = isLeft ? isSure : review !== undefined;
  const download = async () => {
    if (isBusy || !isReady) return;
    const keep = exceptionNames(exceptions);
    const redaction = isLeft ? { redact: "none" as const } : { keep, revision: review?.revision };
    const query: ExportQuery = { tenantId, sessionId, format, only, ...redaction };
    setBusy(true);
    setFailed(undefined);
    setChanged(false);
    const problem = await engine.call("exportProblem", query);
    setBusy(false);
    if (problem === undefined) {
      save(endpointAddress(apiBase(), "/sessions/{sessionId}/export", query));
      announce(strings.begun, true);
    } else if (problem.status === 400 && problem.detail.startsWith("revision ")) {
      setChanged(true);
      reviewed.again();
    } else setFailed(problem);
  };
  return (
    <Dialog label={strings.title} onClose={close}>
      <div className={styles.share}>
        <header>
          <h2>{strings.title}</h2>
          <button type="button" aria-label={strings.close} onClick={close}>
            ✕
          </button>
        </header>
        <div className={styles.body}>
          <p className={styles.link}>
            <CopyButton label={strings.copyLink} text={() => location.href} /> <span>{strings.linkHint}</span>
          </p>
          <p className={styles.link}>
            <CopyForAgent session={{ tenantId, sessionId }} only={only} /> <span>{strings.agent.does}</span>
          </p>
          <FormatChoice format={format} onFormat={setFormat} />
          <PartChoice
            part={visiblePart(route)}
            agents={session?.tracedAgents ?? []}
            only={only}
            onOnly={(part) => {
              setChanged(false);
              setOnly(part);
            }}
          />
          <fieldset className={styles.secrets}>
            <legend>{strings.secrets}</legend>
            <label>
              <input type="radio" name="secrets" checked={!isLeft} onChange={() => setLeft(false)} />{" "}
              {strings.remove}
            </label>
            <label>
              <input type="radio" name="secrets" checked={isLeft} onChange={() => setLeft(true)} />{" "}
              {strings.leave}
            </label>
          </fieldset>
          {isLeft ? (
            <div className={styles.warning} role="alert">
              <p>{strings.leaveWarning}</p>
              <label>
                <input type="checkbox" checked={isSure} onChange={() => setSure(!isSure)} />{" "}
                {strings.leaveSure}
              </label>
            </div>
          ) : (
            <Review reviewed={reviewed} isChanged={isChanged} />
          )}
        </div>
        <footer>
          <p role="status">
            {failed !== undefined ? (
              <strong>
                {strings.notWritten}: {failed.detail}
              </strong>
            ) : isBusy ? (
              strings.checking
            ) : (
              !isLeft && review !== undefined && summaryOf(review.findings.length, exceptions.size)
            )}
          </p>
          <button
            type="button"
            className={styles.download}
            disabled={!isReady}
            aria-busy={isBusy}
            onClick={download}
          >
            {isLeft ? strings.downloadAll : strings.download}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

function summaryOf(findingCount: number, exceptions: number): string | undefined {
  return findingCount === 0
    ? undefined
    : strings.summary(formatCount(findingCount - exceptions), formatCount(exceptions));
}

/** The browser writes the file while it arrives: the page does not hold it. */
function save(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}
