import { useRef, useState } from "react";
import { engine } from "../../app/engine.js";
import { useAsked } from "../../app/use-answer.js";
import { useMessages } from "../../app/use-engine.js";
import { useKeys } from "../../app/use-keys.js";
import { useReadingPosition } from "../../app/use-reading-position.js";
import { useVirtualRows } from "../../app/use-rows.js";
import type { EntryRow, MessagesViewModel } from "../../engine/message-protocol.js";
import type { SessionState, TracedAgent } from "../../engine/trace-protocol.js";
import { type AddressQuery, speakerOf } from "../../model/address.js";
import { formatCount } from "../../model/formats.js";
import { hitKind } from "../../model/search.js";
import { CONVERSATION_STRINGS } from "../../strings/conversation-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { AgentHead } from "../conversation/agent-head.js";
import { NewBelow } from "../parts/new-below.js";
import { Notice, ProblemNotice } from "../parts/notice.js";
import type { TabProps } from "../session/tab-props.js";
import { MessageEntry } from "./message-entry.js";
import styles from "./messages-view.module.css";

const { messages: strings } = STRINGS;

/** The conversation as people read it. */
export default function MessagesView({ route, session }: TabProps) {
  const { query } = route;
  const agentId = speakerOf(query);
  const view = useMessages(session.messagesVersion, agentId);
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(-1);
  const count = view?.entries ?? 0;
  const { virtual, items, rowAt } = useVirtualRows<EntryRow>({
    scroller,
    version: view?.version ?? 0,
    count,
    height: 72,
    overscan: 4,
    gap: 6,
    load: (from, to) => engine.call("messageEntries", from, to),
  });

  const isTargeted = query.call !== undefined || query.at !== undefined;
  const reading = useReadingPosition({
    virtual,
    scroller,
    growth: {
      version: view?.version ?? 0,
      lines: count,
      complete: view !== undefined && !view.loading && !session.loading,
    },
    atEnd: session.item?.status === "running" && !isTargeted,
  });
  const goTo = (to: number, align: "start" | "center" = "start") => {
    if (to < 0 || to >= count) return;
    setCurrent(to);
    reading.goTo(to, align);
  };
  const isMissing = useTarget(query, view, goTo);
  useKeys({
    j: () => goTo(current + 1),
    k: () => goTo(current - 1),
    Home: () => goTo(0),
    End: reading.toEnd,
  });

  const head = (
    <>
      <p className={styles.count}>
        {view !== undefined && STRINGS.context.messages(view.messages)}
        {isMissing && <span role="status"> · {strings.notHere}</span>}
      </p>
      {agentId !== "" && (
        <AgentHead
          route={route}
          session={session}
          agentId={agentId}
          isOpen={view !== undefined && !view.loading && count === 0}
        />
      )}
    </>
  );
  if (view === undefined || count === 0) {
    return (
      <>
        {head}
        <NothingToRead view={view} isAgent={agentId !== ""} />
      </>
    );
  }
  return (
    <>
      {head}
      <section
        ref={scroller}
        className={styles.scroller}
        aria-label={strings.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        tabIndex={0}
        aria-busy={view.loading}
      >
        <div className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <div
              key={index}
              data-index={index}
              ref={virtual.measureElement}
              className={styles.slot}
              data-current={index === current}
              style={{ transform: `translateY(${start}px)` }}
            >
              <MessageEntry
                row={rowAt(index)}
                index={index}
                route={route}
                number={`${formatCount(index + 1)}`}
                found={index === current && query.hit !== undefined}
                agents={agentsOf(rowAt(index), session)}
              />
            </div>
          ))}
        </div>
      </section>
      <NewBelow count={reading.fresh} onGo={reading.toEnd} />
    </>
  );
}

/** The sub-agents that a tool call asked something of. */
function agentsOf(row: EntryRow | undefined, { tracedAgents }: SessionState): readonly TracedAgent[] {
  if (row === undefined || row.callId === "") return NO_AGENTS;
  const asked = tracedAgents.filter(({ askedBy }) => askedBy?.callId === row.callId);
  return asked.length === 0 ? NO_AGENTS : asked;
}

const NO_AGENTS: readonly TracedAgent[] = [];

interface NothingToReadProps {
  readonly view: MessagesViewModel | undefined;
  readonly isAgent: boolean;
}

/** Why there is no conversation. */
function NothingToRead({ view, isAgent }: NothingToReadProps) {
  if (view === undefined || view.loading) return <Notice title={strings.loading} />;
  if (view.problem !== undefined) {
    return <ProblemNotice problem={view.problem} onRetry={() => engine.call("pollSession")} />;
  }
  const { notKept, notKeptHint } = CONVERSATION_STRINGS;
  return <Notice title={isAgent ? notKept : strings.none}>{isAgent ? notKeptHint : strings.noneHint}</Notice>;
}

/**
 * Goes to the message or tool call that an address names, once for each address; a hit is put in the middle.
 *
 * @returns whether the conversation was read to its end without it
 */
function useTarget(
  { agent, call, at, hit }: AddressQuery,
  view: MessagesViewModel | undefined,
  goTo: (index: number, align?: "start" | "center") => void,
): boolean {
  const done = useRef("");
  const [missing, setMissing] = useState<string>();
  const named = call ?? (at === undefined ? undefined : `${at} ${hit}`);
  const target = named === undefined ? undefined : `${agent} ${named}`;
  const locate = () => {
    if (target === undefined || view === undefined || done.current === target) return;
    return engine.call(
      "messageLocate",
      call === undefined ? { messageIndex: Number(at), kind: hitKind(hit) } : { callId: call },
    );
  };
  const show = (index: number) => {
    // The engine may know more of the conversation than this view, which then hears of a newer version.
    if (view === undefined || target === undefined || index >= view.entries) return;
    if (index === -1) return setMissing(view.loading ? undefined : target);
    done.current = target;
    setMissing(undefined);
    goTo(index, hit === undefined ? "start" : "center");
  };
  useAsked(locate, show, [target, view]);
  return missing !== undefined && missing === target;
}
