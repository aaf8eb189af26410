import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { changeAddress } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { useMessages } from "../../app/use-engine.js";
import { blurOnEscape, useKeys } from "../../app/use-keys.js";
import { useRows } from "../../app/use-rows.js";
import type { EntryRow } from "../../engine/message-protocol.js";
import type { SessionState } from "../../engine/trace-protocol.js";
import { changeQuery, type Query, type SessionRoute } from "../../model/address.js";
import { formatCount } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import { Notice, ProblemNotice } from "../parts/notice.js";
import { MessageEntry } from "./message-entry.js";
import styles from "./messages-view.module.css";

interface MessagesViewProps {
  readonly route: SessionRoute;
  readonly session: SessionState;
}

const { messages: strings, trace } = STRINGS;

/** The conversation as people read it. */
export default function MessagesView({ route, session }: MessagesViewProps) {
  const { query } = route;
  const view = useMessages(query.q ?? "", session.messagesVersion);
  const scroller = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [place, setPlace] = useState(-1);
  const count = view?.entries ?? 0;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => 72,
    overscan: 4,
    gap: 6,
  });
  const { rowAt, show } = useRows<EntryRow>(view?.version ?? 0, count, (from, to) =>
    engine.call("messageEntries", from, to),
  );
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = (items.at(-1)?.index ?? 0) + 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is other entries in the same place
  useEffect(() => show(first, last), [show, first, last, view?.version]);

  const change = (changes: Query) => changeAddress(changeQuery(query, changes));
  const goTo = (to: number) => {
    if (to < 0 || to >= count) return;
    setPlace(to);
    virtual.scrollToIndex(to, { align: "start" });
  };
  useTarget(query, count, goTo);
  const hits = view?.hits ?? [];
  const seek = (step: 1 | -1) => {
    const after = step === 1 ? hits.find((hit) => hit > place) : hits.findLast((hit) => hit < place);
    const hit = after ?? (step === 1 ? hits[0] : hits.at(-1));
    if (hit !== undefined) goTo(hit);
  };
  useKeys({
    j: () => goTo(place + 1),
    k: () => goTo(place - 1),
    n: () => seek(1),
    N: () => seek(-1),
    "/": () => search.current?.focus(),
  });

  if (view === undefined || (view.loading && count === 0)) return <Notice title={strings.loading} />;
  if (view.problem !== undefined && count === 0) {
    return <ProblemNotice problem={view.problem} onRetry={() => engine.call("pollSession")} />;
  }
  if (count === 0) return <Notice title={strings.none}>{strings.noneHint}</Notice>;
  return (
    <>
      <search className={styles.bar}>
        <input
          ref={search}
          type="search"
          aria-label={strings.search}
          placeholder={strings.search}
          value={query.q ?? ""}
          onChange={(event) => change({ q: event.target.value })}
          onKeyDown={(event) => {
            blurOnEscape(event);
            if (event.key === "Enter") seek(event.shiftKey ? -1 : 1);
          }}
        />
        {query.q !== undefined && (
          <>
            <output>{trace.hits(hits.indexOf(place) + 1, hits.length)}</output>
            <button type="button" aria-label={trace.previousHit} onClick={() => seek(-1)}>
              ↑
            </button>
            <button type="button" aria-label={trace.nextHit} onClick={() => seek(1)}>
              ↓
            </button>
          </>
        )}
        <output className={styles.count}>{STRINGS.context.messages(view.messages)}</output>
      </search>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section ref={scroller} className={styles.scroller} aria-label={strings.label} tabIndex={0}>
        <div className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <div
              key={index}
              data-index={index}
              ref={virtual.measureElement}
              className={styles.slot}
              data-current={index === place}
              style={{ transform: `translateY(${start}px)` }}
            >
              <MessageEntry
                row={rowAt(index)}
                place={index}
                route={route}
                number={`${formatCount(index + 1)}`}
              />
            </div>
          ))}
        </div>
      </section>
    </>
  );
}

/** Scrolls to the message or tool call that an address names, once for each address. */
function useTarget(query: Query, count: number, goTo: (place: number) => void): void {
  const done = useRef("");
  const target = query.call ?? query.at;
  useEffect(() => {
    if (target === undefined || count === 0 || done.current === target) return;
    const wanted = query.call === undefined ? { messageIndex: Number(query.at) } : { callId: query.call };
    engine.call("messageLocate", wanted).then((place) => {
      if (place === -1) return;
      done.current = target;
      goTo(place);
    });
  });
}
