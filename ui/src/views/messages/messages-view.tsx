import { useEffect, useMemo, useRef, useState } from "react";
import { isUnfinished } from "../../../../src/domain/session/session.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { engine } from "../../app/engine.js";
import { useMessages } from "../../app/use-engine.js";
import { useKeys } from "../../app/use-keys.js";
import { useOnceReady } from "../../app/use-once-ready.js";
import { useReadingPosition } from "../../app/use-reading-position.js";
import { useVirtualRows } from "../../app/use-rows.js";
import type { EntryRow, MessagesViewModel } from "../../engine/messages/message-protocol.js";
import { speakerOf } from "../../model/address/address.js";
import { turnAt } from "../../model/messages/turn-outline.js";
import { CONVERSATION_STRINGS } from "../../strings/conversation-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { AgentHead } from "../conversation/agent-head.js";
import { NewBelow } from "../parts/new-below.js";
import { Notice, ProblemNotice } from "../parts/notice.js";
import type { TabProps } from "../parts/tab-props.js";
import { MessageEntry } from "./message-entry.js";
import styles from "./messages-view.module.css";
import { TurnBar } from "./turn-bar.js";
import { TurnList } from "./turn-list.js";
import { openMode, UnfoldingContext } from "./unfolding.js";
import { prompterOf, useRequestedAgents } from "./use-agents.js";
import { useFocusOn, useTarget } from "./use-target.js";
import { factsVersion, type OutlinedTurn, useTurns, useWide } from "./use-turns.js";

const { messages: strings } = STRINGS;

/** Tolerance in pixels, because positions are rounded. */
const EDGE = 24;

const NO_TURNS: readonly OutlinedTurn[] = [];

export default function MessagesView({ route, session }: TabProps) {
  const { query } = route;
  const agentId = speakerOf(query);
  const view = useMessages(session.messagesVersion, agentId);
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(-1);
  const [sought, setSought] = useState<number>();
  const count = view?.entries ?? 0;
  const { virtual, items, rowAt } = useVirtualRows<EntryRow>({
    scroller,
    // Entries include facts of the trace.
    version: `${view?.version ?? 0} ${factsVersion(session)}`,
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
    atEnd: isUnfinished(session.item) && !isTargeted,
  });
  const show = (to: number, align: "start" | "center" = "start") => {
    if (to < 0 || to >= count) return;
    setCurrent(to);
    reading.goTo(to, align);
  };
  const goTo = (to: number) => {
    setSought(undefined);
    show(to);
  };
  const isMissing = useTarget(query, view, (to, align) => {
    setSought(to);
    show(to, align);
  });
  useFocusOn(scroller, sought);

  const existingTurns = useTurns(view, session);
  const turns = existingTurns ?? NO_TURNS;
  const starts = useMemo(() => turns.map(({ entry }) => entry), [turns]);
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  const top = virtual.getVirtualItemForOffset((virtual.scrollOffset ?? 0) + EDGE)?.index ?? 0;
  const read = current >= startIndex && current <= endIndex ? current : top;
  const turn = turnAt(starts, read);
  const stepTurn = useOnceReady(existingTurns !== undefined, (step: 1 | -1) => {
    // Back leads to the beginning of the turn first.
    const to = step === -1 && read > (starts[turn] ?? 0) ? turn : turn + step;
    goTo(starts[to] ?? -1);
  });
  useKeys({
    j: () => goTo(current + 1),
    k: () => goTo(current - 1),
    "[": () => stepTurn(-1),
    "]": () => stepTurn(1),
    Home: () => goTo(0),
    End: reading.toEnd,
  });

  const mode = openMode(query);
  const unfolding = useMemo(() => ({ mode, byHand: new Map<string, boolean>() }), [mode]);
  const wasMode = useRef(mode);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read stays where it is, whatever opens above it
  useEffect(() => {
    if (wasMode.current === mode) return;
    wasMode.current = mode;
    virtual.measure();
    reading.goTo(read, "start");
  }, [mode]);

  const isWide = useWide();
  const agentsOf = useRequestedAgents(session.tracedAgents);
  const prompter = prompterOf(agentId, session.tracedAgents, route);
  const isLoading = view === undefined || view.loading;
  const head = (
    <>
      <TurnBar
        count={
          <>
            {view !== undefined && <span>{strings.count(view.messages, formatCount(view.messages))}</span>}
            {view?.loading === true && count > 0 && ` ${strings.soFar}`}
            {isMissing && <span role="status"> · {strings.notHere}</span>}
          </>
        }
        route={route}
        turns={turns}
        areComplete={existingTurns !== undefined}
        current={turn}
        hasList={!isWide}
        isFinal={view?.loading === false && !session.loading}
        canUnfold={count > 0}
        onGo={(to) => goTo(starts[to] ?? -1)}
        onStep={stepTurn}
      />
      {agentId !== "" && (
        <AgentHead route={route} session={session} agentId={agentId} isOpen={!isLoading && count === 0} />
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
      <div className={styles.columns}>
        {isWide && turns.length > 1 && (
          <nav className={styles.rail} aria-label={strings.turns}>
            <TurnList turns={turns} current={turn} route={route} onGo={(to) => goTo(starts[to] ?? -1)} />
          </nav>
        )}
        <section
          ref={scroller}
          className={styles.scroller}
          aria-label={strings.label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
          tabIndex={0}
          aria-busy={view.loading}
        >
          <UnfoldingContext.Provider value={unfolding}>
            <div className={styles.body} style={{ height: virtual.getTotalSize() }}>
              {items.map(({ index, start }) => {
                const row = rowAt(index);
                const at = turnAt(starts, index);
                return (
                  <div
                    key={`${mode} ${index}`}
                    data-index={index}
                    ref={virtual.measureElement}
                    className={styles.slot}
                    data-current={index === current}
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <MessageEntry
                      row={row}
                      index={index}
                      route={route}
                      number={`${formatCount(index + 1)}`}
                      isSought={index === sought}
                      turn={starts[at] === index ? turns[at] : undefined}
                      turnNumber={at + 1}
                      prompter={index === (starts[0] ?? 0) ? prompter : undefined}
                      agents={agentsOf(row?.callId ?? "")}
                    />
                  </div>
                );
              })}
            </div>
          </UnfoldingContext.Provider>
        </section>
      </div>
      <NewBelow count={reading.fresh} onGo={reading.toEnd} />
    </>
  );
}

interface NothingToReadProps {
  readonly view: MessagesViewModel | undefined;
  readonly isAgent: boolean;
}

function NothingToRead({ view, isAgent }: NothingToReadProps) {
  if (view === undefined || view.loading) return <Notice title={strings.loading} />;
  if (view.problem !== undefined) {
    return <ProblemNotice problem={view.problem} onRetry={() => engine.call("pollSession")} />;
  }
  const { noConversation, noConversationHint } = CONVERSATION_STRINGS;
  return (
    <Notice title={isAgent ? noConversation : strings.none}>
      {isAgent ? noConversationHint : strings.noneHint}
    </Notice>
  );
}
