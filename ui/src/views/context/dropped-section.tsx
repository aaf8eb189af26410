import { useState } from "react";
import type { ToolUse } from "../../../../src/domain/conversation/provenance.js";
import { formatEstimate, formatSignedTokens } from "../../../../src/domain/text/figures.js";
import { relativePath } from "../../../../src/domain/text/paths.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import type { DroppedLine } from "../../engine/messages/message-protocol.js";
import { changeQuery, type SessionRoute, sessionAddress } from "../../model/address/address.js";
import { CONTEXT_STRINGS } from "../../strings/context-strings.js";
import { STRINGS } from "../../strings/strings.js";
import type { TabProps } from "../parts/tab-props.js";
import styles from "./dropped-section.module.css";

const strings = CONTEXT_STRINGS.droppedList;

interface DroppedSectionProps extends TabProps {
  readonly base: number;
  readonly call: number;
  readonly version: unknown;
}

const FIRST = 8;
const STEP = 100;

/** Content that the call's context lacks, the largest first, and parts that tools returned again. */
export function DroppedSection({ route, session, base, call, version }: DroppedSectionProps) {
  const [visible, setVisible] = useState(FIRST);
  const dropped = useAnswer(() => {
    setVisible(FIRST);
    return engine.call("contextDropped", base, call);
  }, [base, call, version]);
  if (dropped === undefined || dropped.messages === 0) return null;
  const { messages, tokens, again, lines } = dropped;
  const more = lines.length - visible;
  return (
    <section className={styles.dropped} aria-label={strings.title}>
      <h2>
        {strings.sum(messages, formatEstimate(tokens))}
        {again.calls > 0 && <span>{strings.again(again.calls, formatEstimate(again.tokens))}</span>}
      </h2>
      <ol>
        {lines.slice(0, visible).map((line) => (
          <DroppedRow
            key={line.message.index}
            line={line}
            route={route}
            directory={session.item?.directory ?? ""}
          />
        ))}
      </ol>
      {more > 0 && (
        <button type="button" onClick={() => setVisible(visible + STEP)}>
          {strings.more(more)} …
        </button>
      )}
    </section>
  );
}

interface DroppedRowProps {
  readonly line: DroppedLine;
  readonly route: SessionRoute;
  readonly directory: string;
}

function DroppedRow({ line, route, directory }: DroppedRowProps) {
  const { message, tokens, isCleared, uses, again } = line;
  const { agent } = route.query;
  const what =
    uses.length > 0 ? (
      uses.map((use) => (
        <UseText key={use.toolCallId} use={use} directory={directory} otherwise={message.preview} />
      ))
    ) : (
      <>
        <b>{STRINGS.messages.origins[message.origin]}</b> {message.preview}
      </>
    );
  // Content that only a call records is no message of the conversation.
  const at = message.index < 0 ? undefined : String(Math.floor(message.index));
  return (
    <li>
      <span className={styles.tokens}>{formatEstimate(tokens)}</span>
      <span className={styles.what}>
        {at === undefined ? (
          what
        ) : (
          <a href={sessionAddress(route, "messages", changeQuery({}, { agent, at }))}>{what}</a>
        )}
        {isCleared && <i>{strings.cleared}</i>}
      </span>
      {again !== undefined && <Again again={again} route={route} />}
    </li>
  );
}

interface UseTextProps {
  readonly use: ToolUse;
  readonly directory: string;
  readonly otherwise: string;
}

function UseText({ use: { name, paths, text }, directory, otherwise }: UseTextProps) {
  const [path] = paths;
  return (
    <span>
      <b>{name}</b> {path === undefined ? text || otherwise : relativePath(path, directory)}
    </span>
  );
}

interface AgainProps {
  readonly again: NonNullable<DroppedLine["again"]>;
  readonly route: SessionRoute;
}

function Again({ again: { same, call, stepId, toolCallId, tokens }, route }: AgainProps) {
  const { agent } = route.query;
  const address =
    call !== undefined
      ? sessionAddress(route, "context", changeQuery({}, { agent, call: String(call + 1) }))
      : stepId !== undefined
        ? sessionAddress(route, "trace", { event: stepId })
        : sessionAddress(route, "messages", changeQuery({}, { agent, call: toolCallId }));
  return (
    <span className={styles.again}>
      {strings.sameAgain[same]} <span aria-hidden="true">✓</span>{" "}
      <a href={address}>{call === undefined ? strings.inTrace : CONTEXT_STRINGS.call(call + 1)}</a>
      {tokens > 0 && `, ${formatSignedTokens(tokens, true)}`}
    </span>
  );
}
