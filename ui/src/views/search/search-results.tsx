import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { CONTENT_KINDS, type ContentKind } from "../../../../src/domain/search/search-query.js";
import { engine } from "../../app/engine.js";
import { rememberResultsPosition, resultsPosition, stepToHit } from "../../app/hit-steps.js";
import { focusResultLater } from "../../app/result-focus.js";
import { useKeys } from "../../app/use-keys.js";
import { useNarrow } from "../../app/use-narrow.js";
import { useVirtualRows } from "../../app/use-rows.js";
import { useSearch } from "../../app/use-search.js";
import type { SearchLine, SearchState } from "../../engine/search/search-protocol.js";
import type { HitRef } from "../../engine/search/search-store.js";
import type { AddressQuery } from "../../model/address/address.js";
import { searchRequest, toggleKind, type ValidRoute } from "../../model/search/search.js";
import { STRINGS } from "../../strings/strings.js";
import { ResultLine } from "./result-lines.js";
import styles from "./search-results.module.css";
import { SearchStatus } from "./search-status.js";

const { search: strings } = STRINGS;

interface SearchResultsProps {
  readonly query: AddressQuery;
  onChange(changes: AddressQuery): void;
}

/** Displays hits while the search runs. */
export default function SearchResults({ query, onChange }: SearchResultsProps) {
  const route: ValidRoute = { view: "sessions", query };
  const request = searchRequest(route);
  const state = useSearch("sessions", request);
  useKeys({ n: () => stepToHit(1), N: () => stepToHit(-1) });
  return (
    <section className={styles.results} aria-label={strings.label}>
      <header className={styles.head}>
        <SearchStatus name="sessions" state={state} onOther={(kinds) => onChange({ in: kinds })} />
        <KindChips kinds={request?.kinds ?? []} onChoose={(kinds) => onChange({ in: kinds })} />
      </header>
      {state !== undefined && state.lines > 0 && (
        <ResultLines key={JSON.stringify(request)} state={state} route={route} />
      )}
    </section>
  );
}

const ROW = 30;
const NARROW_ROW = 64;

function ResultLines({ state, route }: { readonly state: SearchState; readonly route: ValidRoute }) {
  const scroller = useRef<HTMLDivElement>(null);
  const height = useNarrow() ? NARROW_ROW : ROW;
  const { virtual, items, rowAt } = useVirtualRows<SearchLine>({
    scroller,
    version: state.version,
    count: state.lines,
    height,
    overscan: 8,
    first: state.first,
    load: (from, to) => engine.call("searchLines", "sessions", from, to),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height needs other places
  useEffect(() => virtual.measure(), [virtual, height]);
  const opened = useScrollPosition(scroller, state.lines * height);
  useEffect(focusResultLater);
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
      tabIndex={0}
      role="list"
      aria-label={strings.label}
      onScroll={() => rememberResultsPosition({ top: scroller.current!.scrollTop })}
    >
      <div role="presentation" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <div
            key={index}
            role="listitem"
            aria-setsize={state.lines}
            aria-posinset={index + 1}
            className={styles.line}
            style={{ transform: `translateY(${start}px)`, height }}
          >
            <ResultLine line={rowAt(index)} route={route} opened={opened} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Waits for enough lines. @returns the latest opened hit */
function useScrollPosition(scroller: RefObject<HTMLElement | null>, height: number): HitRef | undefined {
  const [{ top, hit }] = useState(resultsPosition);
  const isRestored = useRef(top === 0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (isRestored.current || element === null || height < top + element.clientHeight) return;
    isRestored.current = true;
    element.scrollTop = top;
  }, [scroller, height, top]);
  return hit;
}

interface KindChipsProps {
  readonly kinds: readonly ContentKind[];
  /** @param kinds entry of the address */
  onChoose(kinds: string): void;
}

/** Default: the text that people read. */
function KindChips({ kinds, onChoose }: KindChipsProps) {
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
