import { CONTENT_KINDS, type ContentKind } from "../../../../src/domain/search/search-query.js";
import { toggleKind } from "../../model/search.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./search-results.module.css";

interface KindChipsProps {
  readonly kinds: readonly ContentKind[];
  /** @param kinds the entry of the address */
  onChoose(kinds: string): void;
}

/** In which kinds of content to search; none chosen is what people read. */
export function KindChips({ kinds, onChoose }: KindChipsProps) {
  const { search } = STRINGS;
  return (
    <div className={styles.chips} role="group" aria-label={search.chipsLabel}>
      {CONTENT_KINDS.map((kind) => (
        <button
          key={kind}
          type="button"
          aria-pressed={kinds.includes(kind)}
          onClick={() => onChoose(toggleKind(kinds, kind))}
        >
          {search.chips[kind]}
        </button>
      ))}
    </div>
  );
}
