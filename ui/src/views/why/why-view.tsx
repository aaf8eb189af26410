import type { LinesExplained } from "../../../../src/domain/changes/line-explanation.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { visibleText } from "../../../../src/domain/text/visible-text.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { useWhy } from "../../app/use-why.js";
import type { WhyQuery } from "../../engine/why/read-why.js";
import type { AddressQuery } from "../../model/address/address.js";
import { WHY_STRINGS as strings } from "../../strings/why-strings.js";
import { Notice, ProblemNotice } from "../parts/notice.js";
import { ExplainedBlock } from "./explained-block.js";
import { WhyForm } from "./why-form.js";
import styles from "./why-view.module.css";

export default function WhyView({ query }: { readonly query: AddressQuery }) {
  const question = questionIn(query);
  const { read, retry } = useWhy(question);
  return (
    <div className={styles.view}>
      <header>
        <h1>{strings.title}</h1>
        <p className={styles.hint}>{strings.hint}</p>
        <WhyForm key={JSON.stringify(query)} query={query} />
      </header>
      {question !== undefined && read === undefined && (
        <Notice title={strings.loading} later={strings.loadingLong} />
      )}
      {read !== undefined && "problem" in read && <Refusal problem={read.problem} onRetry={retry} />}
      {read !== undefined && "explained" in read && <Explained explained={read.explained} />}
    </div>
  );
}

/** A missing line is a permanent error: the request is not repeated. */
function Refusal({ problem, onRetry }: { readonly problem: ApiProblem; onRetry(): void }) {
  if (problem.status === 400) return <Notice title={strings.refused}>{visibleText(problem.detail)}</Notice>;
  return <ProblemNotice problem={problem} onRetry={onRetry} />;
}

function questionIn({
  file = "",
  text = "",
  line = "",
  toLine = "",
  tenant = "",
}: AddressQuery): WhyQuery | undefined {
  if (file.trim() === "") return undefined;
  const [from, to] = [lineNumber(line), lineNumber(toLine)];
  return {
    file: file.trim(),
    ...(text !== "" ? { text } : from === undefined ? {} : { line: from, ...(to && { toLine: to }) }),
    ...(tenant === "" ? {} : { tenantId: tenant }),
  };
}

function lineNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

function Explained({ explained }: { readonly explained: LinesExplained }) {
  const { blocks, moreBlocks, coverage } = explained;
  const { sessions, edits, unread, undecided } = coverage;
  return (
    <>
      <p role="status" className={styles.hint}>
        {strings.coverage(formatCount(sessions), formatCount(edits))}.{" "}
        {unread > 0 && strings.unread(formatCount(unread))}{" "}
        {undecided > 0 && strings.undecided(formatCount(undecided))}
      </p>
      {edits === 0 && unread === 0 && <Notice title={strings.noFile}>{strings.noFileHint}</Notice>}
      {edits > 0 && (
        <ol className={styles.blocks}>
          {blocks.map((block) => (
            <ExplainedBlock key={block.from} block={block} />
          ))}
        </ol>
      )}
      {moreBlocks > 0 && <p className={styles.hint}>{strings.moreBlocks(formatCount(moreBlocks))}</p>}
    </>
  );
}
