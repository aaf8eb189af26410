import type { SourceReport, SourceRetention } from "../../../../src/domain/session/source-report.js";
import { formatBytes, formatCount } from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { SOURCES_STRINGS as strings } from "../../strings/sources-strings.js";
import { Instant } from "../parts/instant.js";
import styles from "./sources-view.module.css";

const { columns } = strings;

export function SourceTable({ sources }: { readonly sources: readonly SourceReport[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where it has little room
    <section className={styles.scroll} aria-label={strings.table} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {Object.values(columns).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sources.map((source, i) => (
            <SourceRow key={source.key ?? i} source={source} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SourceRow({ source }: { readonly source: SourceReport }) {
  const { name, path, failure, unread, isComplete, sessions, files, bytes, verified, retention } = source;
  const isPartial = !isComplete && failure === undefined;
  return (
    <tr>
      <th scope="row">
        <b>{name ?? strings.nameless}</b>
        {path !== undefined && <code>{path}</code>}
        {isPartial && <small className={styles.partial}>{strings.partial(formatCount(unread))}</small>}
      </th>
      {failure !== undefined ? (
        <td colSpan={Object.keys(columns).length - 1} className={styles.failure}>
          {strings.failure} {failure}
        </td>
      ) : (
        <>
          <td>{sessions === undefined ? <Unknown /> : formatCount(sessions)}</td>
          <td>{files === undefined ? <Unknown /> : formatCount(files)}</td>
          <td>{bytes === undefined ? <Unknown /> : formatBytes(bytes)}</td>
          <td>
            <Day at={source.oldest} />
          </td>
          <td>
            <Day at={source.newest} />
          </td>
          <td>
            <Versions source={source} />
          </td>
          <td>{verified ?? <Unknown />}</td>
          <td>
            <Retention retention={retention} />
          </td>
        </>
      )}
    </tr>
  );
}

function Unknown() {
  return (
    <span title={strings.unknownHint}>
      <span aria-hidden="true">{strings.unknown}</span>
      <span className="visually-hidden">{strings.unknownHint}</span>
    </span>
  );
}

function Day({ at }: { readonly at: string | undefined }) {
  const instant = plausibleInstant(at);
  return instant === undefined ? <Unknown /> : <Instant at={instant} now={Date.now()} />;
}

const MOST_VERSIONS = 3;

/** The newest first. Marks versions that the reader was not verified with. */
function Versions({ source: { versions, verified = "" } }: { readonly source: SourceReport }) {
  if (versions.length === 0) return <Unknown />;
  const all = versions.map(
    ({ version, sessions }) => `${version}: ${strings.versionSessions(formatCount(sessions))}`,
  );
  return (
    <span className={styles.versions} title={all.join("\n")}>
      {versions.slice(0, MOST_VERSIONS).map(({ version, isNewer }) => (
        <span key={version} data-newer={isNewer} title={isNewer ? strings.newer(verified) : undefined}>
          {version}
          {isNewer && <span className="visually-hidden"> ({strings.newerMark})</span>}
        </span>
      ))}
      {versions.length > MOST_VERSIONS && (
        <small>{strings.more(formatCount(versions.length - MOST_VERSIONS))}</small>
      )}
    </span>
  );
}

function Retention({ retention }: { readonly retention: SourceRetention | undefined }) {
  if (retention === undefined) return <Unknown />;
  const { rule, days, statedIn } = retention;
  const after = days === undefined ? strings.deletes : strings.after(formatCount(days));
  return (
    <span title={statedIn === undefined ? undefined : strings.statedIn(statedIn)}>
      {rule === "keeps" ? strings.keeps : after}
    </span>
  );
}
