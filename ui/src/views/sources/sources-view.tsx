import type { SourceReport } from "../../../../src/domain/session/source-report.js";
import { useSources } from "../../app/use-sources.js";
import { SOURCES_STRINGS as strings } from "../../strings/sources-strings.js";
import { Notice, ProblemNotice } from "../parts/notice.js";
import { SourceFacts } from "./source-facts.js";
import { SourceTable } from "./source-table.js";
import styles from "./sources-view.module.css";

export default function SourcesView() {
  const { read, retry } = useSources();
  if (read !== undefined && "sources" in read && read.sources.length > 0)
    return <Sources sources={read.sources} />;
  return (
    <>
      <h1 className="visually-hidden">{strings.title}</h1>
      {read === undefined && <Notice title={strings.loading} later={strings.loadingLong} />}
      {read !== undefined && "problem" in read && <ProblemNotice problem={read.problem} onRetry={retry} />}
      {read !== undefined && "sources" in read && <Notice title={strings.none}>{strings.noneHint}</Notice>}
    </>
  );
}

function Sources({ sources }: { readonly sources: readonly SourceReport[] }) {
  return (
    <div className={styles.view}>
      <header>
        <h1>{strings.title}</h1>
        <p className={styles.hint}>{strings.hint}</p>
      </header>
      <SourceTable sources={sources} />
      {sources.map((source, i) => (
        <SourceFacts key={source.key ?? i} source={source} />
      ))}
    </div>
  );
}
