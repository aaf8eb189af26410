import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type InspectorSessionItem, isQuiet } from "../../../../src/domain/session/session.js";
import { isSameSession, keyText, type SessionKey } from "../../../../src/domain/session/session-key.js";
import { formatCost, formatCount, formatShare, hasNoPrice } from "../../../../src/domain/text/figures.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { useSettled } from "../../app/use-search.js";
import type { ComparableSessions } from "../../engine/compare/comparable-sessions.js";
import { compareAddress, MOST_OTHERS, sessionAddress } from "../../model/address/address.js";
import type { ComparableSession } from "../../model/compare/similar-sessions.js";
import { sessionTitle } from "../../model/sessions/session-title.js";
import { tenantName } from "../../model/text/tenant-name.js";
import { COMPARE_STRINGS } from "../../strings/compare-strings.js";
import { Instant } from "../parts/instant.js";
import { SessionMark } from "../parts/status-mark.js";
import styles from "./session-choice.module.css";

const { choice: strings } = COMPARE_STRINGS;

interface SessionChoiceProps {
  readonly one: SessionKey;
  readonly others: readonly SessionKey[];
}

interface Chosen extends SessionKey {
  readonly title?: string | undefined;
}

/** The most similar first; one or several can be chosen. */
export function SessionChoice({ one, others }: SessionChoiceProps) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<readonly Chosen[]>(others);
  const list = useRef<HTMLUListElement>(null);
  const comparable = useComparable(one, typed.trim());
  const now = Date.now();
  const isInList = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer may have taken away what the keys had gone to
  useEffect(() => {
    if (!isInList.current || document.activeElement !== document.body) return;
    list.current?.querySelector("a")?.focus();
  }, [comparable]);
  const candidates = (comparable?.sessions ?? []).filter(
    ({ session }) => !chosen.some((other) => isSameSession(other, session)),
  );
  const titles = new Map(comparable?.sessions.map(({ session }) => [keyText(session), titleOf(session)]));
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const next = event.key === "ArrowDown" ? at + 1 : at - 1;
    if (next < 0) event.currentTarget.querySelector("input")?.focus();
    else links[next]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys go between the field and the links in it, which have the focus
    <section
      className={styles.choice}
      onKeyDown={press}
      onFocusCapture={({ target }) => {
        isInList.current = target instanceof Node && list.current?.contains(target) === true;
      }}
    >
      <h1>{others.length === 0 ? strings.title : strings.titleMore}</h1>
      <p>
        <b>{COMPARE_STRINGS.names[0]}</b>{" "}
        <a href={sessionAddress(one)}>
          {(comparable?.item && sessionTitle(comparable.item)) ?? one.sessionId}
        </a>
      </p>
      {chosen.length > 0 && (
        <ChosenSessions
          one={one}
          chosen={chosen.map((session) => ({ title: titles.get(keyText(session)), ...session }))}
          onRemove={(session) => setChosen(chosen.filter((other) => !isSameSession(other, session)))}
        />
      )}
      <input
        type="search"
        aria-label={strings.search}
        placeholder={strings.search}
        title={strings.keys}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <p role="status" className={styles.status}>
        {candidates.length === 0 && (comparable?.typed === typed.trim() ? strings.none : strings.loading)}
      </p>
      {candidates.length > 0 && (
        <ul ref={list} aria-label={strings.list}>
          {candidates.map((candidate) => (
            <Candidate
              key={keyText(candidate.session)}
              one={one}
              chosen={chosen}
              candidate={candidate}
              now={now}
              onAdd={({ tenantId, sessionId, ...item }) =>
                setChosen([
                  ...chosen,
                  { tenantId, sessionId, title: titleOf({ tenantId, sessionId, ...item }) },
                ])
              }
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ChosenProps {
  readonly one: SessionKey;
  readonly chosen: readonly Chosen[];
  onRemove(session: SessionKey): void;
}

function ChosenSessions({ one, chosen, onRemove }: ChosenProps) {
  const [first, ...more] = chosen;
  return (
    <div className={styles.chosen}>
      <ul aria-label={strings.chosen}>
        {chosen.map((session) => {
          const title = session.title ?? session.sessionId;
          return (
            <li key={keyText(session)}>
              <span>{title}</span>
              <button type="button" aria-label={strings.removeNamed(title)} onClick={() => onRemove(session)}>
                ✕
              </button>
            </li>
          );
        })}
      </ul>
      <a href={compareAddress(one, first, ...more)}>{strings.compare(formatCount(chosen.length))}</a>
      {chosen.length === MOST_OTHERS && <small>{strings.most(formatCount(MOST_OTHERS))}</small>}
    </div>
  );
}

interface CandidateProps {
  readonly one: SessionKey;
  readonly chosen: readonly SessionKey[];
  readonly candidate: ComparableSession;
  readonly now: number;
  onAdd(session: InspectorSessionItem): void;
}

function Candidate({ one, chosen, candidate, now, onAdd }: CandidateProps) {
  const { session, alike, likeness } = candidate;
  const { cost, errors = 0 } = session;
  const [first = session, ...more] = [...chosen, session];
  return (
    <li>
      <span className={styles.likeness} title={strings.likeness(formatShare(likeness))}>
        <i aria-hidden="true" style={{ backgroundSize: `${likeness * 100}% 100%` }} />
        <span className="visually-hidden">{strings.likeness(formatShare(likeness))}</span>
        <span aria-hidden="true">{formatShare(likeness)}</span>
      </span>
      <a href={compareAddress(one, first, ...more)}>
        {sessionTitle(session) ?? <code>{session.sessionId}</code>}
      </a>
      {alike.map((one) => (
        <mark key={one}>{strings.alike[one]}</mark>
      ))}
      <span className={styles.facts}>
        {!isQuiet(session) && <SessionMark item={session} />}
        {errors > 0 && <em>{strings.errors(formatCount(errors))}</em>}
        {cost !== undefined && !hasNoPrice(cost) && <span>{formatCost(cost)}</span>}
        <small>
          {tenantName(session).name}
          {plausibleInstant(session.lastActive) !== undefined && " · "}
          <Instant at={session.lastActive} now={now} />
        </small>
        <button
          type="button"
          disabled={chosen.length >= MOST_OTHERS}
          aria-label={strings.addNamed(titleOf(session))}
          onClick={() => onAdd(session)}
        >
          + {strings.add}
        </button>
      </span>
    </li>
  );
}

function titleOf(session: InspectorSessionItem): string {
  return sessionTitle(session) ?? session.sessionId;
}

/** `undefined` until the first answer; retains the last one until the next. */
function useComparable(
  { tenantId, sessionId }: SessionKey,
  typed: string,
): (ComparableSessions & { readonly typed: string }) | undefined {
  const settled = useSettled(typed) ?? "";
  return useAnswer(async () => {
    const sessions = await engine.call("comparableSessions", { tenantId, sessionId }, settled);
    return { ...sessions, typed: settled };
  }, [tenantId, sessionId, settled]);
}
