import { formatEstimate } from "../../../../src/domain/text/figures.js";
import { engine } from "../../app/engine.js";
import { useAnswer } from "../../app/use-answer.js";
import { STRINGS } from "../../strings/strings.js";
import { TextBlock } from "../texts/text-block.js";
import styles from "./detail-readable.module.css";

const { detail: strings, messages } = STRINGS;

export default function DetailInput({ id }: { readonly id: string }) {
  const input = useAnswer(() => engine.call("traceInput", id), [id]);
  if (input === undefined) return null;
  return (
    <section className={styles.block} aria-label={strings.modelInput}>
      <h3>{strings.modelInput}</h3>
      {input.earlier > 0 && <p>{strings.earlierMessages(input.earlier)}</p>}
      {input.messages.map(({ index, origin, preview, tokens, text }) => (
        <details key={index} className={styles.given}>
          <summary>
            <b>{messages.origins[origin]}</b> {preview} <small>{formatEstimate(tokens)}</small>
          </summary>
          <TextBlock
            text={text.text}
            length={text.length}
            full={() => engine.call("traceInputText", id, index)}
          />
        </details>
      ))}
    </section>
  );
}
