import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { engine } from "../../app/engine.js";
import { useMessages } from "../../app/use-engine.js";
import { useKeys } from "../../app/use-keys.js";
import { useRows } from "../../app/use-rows.js";
import type { EntryRow } from "../../engine/message-protocol.js";
import type { SessionState } from "../../engine/trace-protocol.js";
import type { Query, SessionRoute } from "../../model/address.js";
import { formatCount } from "../../model/formats.js";
import { hitKind } from "../../model/search.js";
import { STRINGS } from "../../strings/strings.js";
import { Notice, ProblemNotice } from "../parts/notice.js";
import { MessageEntry } from "./message-entry.js";
import styles from "./messages-view.module.css";

interface MessagesViewProps {
  readonly route: SessionRoute;
  readonly session: SessionState;
}

const { messages: strings } = STRINGS;

/** The conversation as people read it. */
export default function MessagesView({ route, session }: MessagesViewProps) {
  const { query } = route;
  const view = useMessages(session.messagesVersion);
  const scroller = useRef<HTMLDivElement>(null);
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

  // A hit stays in the middle while what lies above it comes in and grows, until the reader moves on.
  const centred = useRef<number>(undefined);
  const release = () => {
    centred.current = undefined;
  };
  const height = virtual.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height moves everything
  useEffect(() => {
    if (centred.current !== undefined) virtual.scrollToIndex(centred.current, { align: "center" });
  }, [virtual, height]);

  const goTo = (to: number, align: "start" | "center" = "start") => {
    if (to < 0 || to >= count) return;
    setPlace(to);
    virtual.scrollToIndex(to, { align });
    centred.current = align === "center" ? to : undefined;
  };
  useTarget(query, count, goTo);
  useKeys({
    j: () => goTo(place + 1),
    k: () => goTo(place - 1),
  });

  if (view === undefined || (view.loading && count === 0)) return <Notice title={strings.loading} />;
  if (view.problem !== undefined && count === 0) {
    return <ProblemNotice problem={view.problem} onRetry={() => engine.call("pollSession")} />;
  }
  if (count === 0) return <Notice title={strings.none}>{strings.noneHint}</Notice>;
  return (
    <>
      <p className={styles.count}>{STRINGS.context.messages(view.messages)}</p>
      <section
        ref={scroller}
        className={styles.scroller}
        aria-label={strings.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        tabIndex={0}
        onWheel={release}
        onPointerDown={release}
        onKeyDown={release}
      >
        <div className={styles.body} style={{ height }}>
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
                found={index === place && query.hit !== undefined}
              />
            </div>
          ))}
        </div>
      </section>
    </>
  );
}

/** Scrolls to the message or tool call that an address names, once for each address; a hit is put in the middle. */
function useTarget(
  query: Query,
  count: number,
  goTo: (place: number, align?: "start" | "center") => void,
): void {
  const done = useRef("");
  const { call, at, hit } = query;
  const target = call ?? (at === undefined ? undefined : `${at} ${hit}`);
  useEffect(() => {
    if (target === undefined || count === 0 || done.current === target) return;
    const wanted = call === undefined ? { messageIndex: Number(at), kind: hitKind(hit) } : { callId: call };
    engine.call("messageLocate", wanted).then((place) => {
      if (place === -1 || done.current === target) return;
      done.current = target;
      goTo(place, hit === undefined ? "start" : "center");
    });
  });
}
