import { formatBytes, formatCount, formatShare } from "../../../../src/domain/text/figures.js";
import type { SearchState } from "../../engine/search/search-protocol.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./search-results.module.css";

const { search } = STRINGS;

export function progressText({ searched, total }: Pick<SearchState, "searched" | "total">): string {
  if (total.sessions === 0) return "";
  const sessions = search.sessionsSearched(formatCount(searched.sessions), formatCount(total.sessions));
  if (searched.bytes === undefined || total.bytes === undefined) return sessions;
  return `${sessions}, ${search.bytesSearched(formatBytes(searched.bytes), formatBytes(total.bytes))}`;
}

export function SearchProgress({ state }: { readonly state: SearchState }) {
  const { searched, total, status } = state;
  const [at, of] = total.bytes ? [searched.bytes ?? 0, total.bytes] : [searched.sessions, total.sessions];
  return (
    <>
      <span className={styles.extent}>
        {status === "running" && of > 0 && `${search.shareSearched(formatShare(Math.min(at, of) / of))}, `}
        {progressText(state)}
      </span>
      {status === "running" && (
        <progress aria-label={search.progress} {...(of > 0 ? { value: Math.min(at, of), max: of } : {})} />
      )}
    </>
  );
}
