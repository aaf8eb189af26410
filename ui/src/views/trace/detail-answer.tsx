import { lazy, Suspense } from "react";
import type { CallAnswer } from "../../engine/trace-protocol.js";
import { STRINGS } from "../../strings/strings.js";
import { TextBlock } from "../parts/text-block.js";
import styles from "./detail-readable.module.css";

const FormattedText = lazy(() => import("../texts/formatted-text.js"));

interface DetailAnswerProps {
  readonly answer: CallAnswer;
  onSelect(id: string): void;
}

const { detail: strings, textKinds, kinds } = STRINGS;

/** All that a model said and thought in a call, and the tools that it called. */
export function DetailAnswer({ answer: { texts, calls, more }, onSelect }: DetailAnswerProps) {
  return (
    <>
      {texts.map(({ id, type, text }) => (
        <section key={id} className={styles.block}>
          <h3>{textKinds.get(type) ?? kinds.text}</h3>
          <Suspense fallback={<TextBlock text={text} />}>
            <FormattedText text={text} />
          </Suspense>
        </section>
      ))}
      {calls.length > 0 && (
        <section className={styles.block}>
          <h3>{strings.calls}</h3>
          <ul className={styles.calls}>
            {calls.map(({ id, name, preview }) => (
              <li key={id}>
                <button type="button" onClick={() => onSelect(id)}>
                  <b>{name || kinds.tool}</b> {preview}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {more > 0 && <p>{strings.moreParts(more)}</p>}
    </>
  );
}
