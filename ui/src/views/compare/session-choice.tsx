import { useState } from "react";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { useSettled } from "../../app/use-search.js";
import type { ComparableSessions } from "../../engine/comparable-sessions.js";
import { compareAddress, type SessionRef, sessionAddress } from "../../model/address.js";
import { sessionTitle } from "../../model/session-title.js";
import type { ComparableSession } from "../../model/similar-sessions.js";
import { tenantName } from "../../model/tenant-name.js";
import { COMPARE_STRINGS } from "../../strings/compare-strings.js";
import { Instant } from "../parts/instant.js";
import { SessionMark } from "../parts/status-mark.js";
import styles from "./session-choice.module.css";

const { choice: strings } = COMPARE_STRINGS;

/** The sessions that one may be compared with, those most like it first. */
export function SessionChoice({ one }: { readonly one: SessionRef }) {
  const [typed, setTyped] = useState("");
  const found = useComparable(one, typed.trim());
  const now = Date.now();
  return (
    <section className={styles.choice}>
      <h1>{strings.title}</h1>
      <p>
        <b>{COMPARE_STRINGS.names[0]}</b>{" "}
        <a href={sessionAddress(one)}>{(found?.item && sessionTitle(found.item)) ?? one.sessionId}</a>
      </p>
      <input
        type="search"
        aria-label={strings.search}
        placeholder={strings.search}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <p role="status" className={styles.status}>
        {found === undefined ? strings.loading : found.sessions.length === 0 && strings.none}
      </p>
      {found !== undefined && found.sessions.length > 0 && (
        <ul aria-label={strings.list}>
          {found.sessions.map((candidate) => (
            <Candidate
              key={`${candidate.session.tenantId} ${candidate.session.sessionId}`}
              one={one}
              candidate={candidate}
              now={now}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface CandidateProps {
  readonly one: SessionRef;
  readonly candidate: ComparableSession;
  readonly now: number;
}

function Candidate({ one, candidate: { session, alike }, now }: CandidateProps) {
  return (
    <li>
      <a href={compareAddress(one, session)}>{sessionTitle(session) ?? <code>{session.sessionId}</code>}</a>
      {session.status !== "idle" && <SessionMark {...session} />}
      {alike.map((likeness) => (
        <mark key={likeness}>{strings.alike[likeness]}</mark>
      ))}
      <small>
        {tenantName(session).name} · <Instant at={Date.parse(session.lastActive)} now={now} />
      </small>
    </li>
  );
}

/** `undefined` until the first answer; then the last one, until the next is there. */
function useComparable({ tenantId, sessionId }: SessionRef, typed: string): ComparableSessions | undefined {
  const settled = useSettled(typed) ?? "";
  return useAnswer(
    () => engine.call("comparableSessions", { tenantId, sessionId }, settled),
    [tenantId, sessionId, settled],
  );
}
