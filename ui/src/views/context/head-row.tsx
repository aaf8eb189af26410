import { useState } from "react";
import { formatEstimate } from "../../../../src/domain/text/figures.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import type { ShortenedText } from "../../engine/messages/message-protocol.js";
import { CONTEXT_STRINGS } from "../../strings/context-strings.js";
import { TextBlock } from "../texts/text-block.js";
import styles from "./context-lines.module.css";

const strings = CONTEXT_STRINGS.head;

interface HeadRowProps {
  readonly call: number;
  readonly version: unknown;
}

export function HeadRow({ call, version }: HeadRowProps) {
  const [isOpen, setOpen] = useState(false);
  const head = useAnswer(() => engine.call("contextHead", call), [call, version]);
  if (head === undefined || (head.tokens < 1 && head.system === undefined && head.tools === undefined)) {
    return null;
  }
  const { system, tools } = head;
  return (
    <div data-change="head">
      <button type="button" className={styles.row} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className={styles.sign} aria-hidden="true">
          {isOpen ? "▾" : "▸"}
        </span>
        <span className={styles.wide}>{strings.title}</span>
        <small>{formatEstimate(head.tokens)}</small>
      </button>
      {isOpen && (
        <div className={styles.text}>
          {system !== undefined && <HeadText title={strings.system} text={system} />}
          {tools !== undefined && <HeadText title={strings.tools(head.toolNames)} text={tools} />}
          {system === undefined && tools === undefined && <p>{strings.notRecorded}</p>}
        </div>
      )}
    </div>
  );
}

function HeadText({
  title,
  text: { text, length },
}: {
  readonly title: string;
  readonly text: ShortenedText;
}) {
  return (
    <>
      <h3 className={styles.title}>{title}</h3>
      <TextBlock text={text} />
      {text.length < length && <p>{strings.beginning}</p>}
    </>
  );
}
