import { diffLines } from "diff";
import { useMemo } from "react";
import { STRINGS } from "../../strings/strings.js";
import { TextBlock } from "../texts/text-block.js";
import styles from "./context-lines.module.css";

const TIMEOUT_MS = 40;

/** Line by line. Texts with too little in common follow one another. */
export default function TextDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = useMemo(() => diffLines(before, after, { timeout: TIMEOUT_MS }), [before, after]);
  if (parts === undefined) {
    return (
      <>
        <TextBlock text={before} />
        <TextBlock text={after} />
      </>
    );
  }
  return (
    <section className={styles.diff} aria-label={STRINGS.context.textDiff}>
      {parts.map(({ value, added, removed }, index) => {
        const kind = added ? "added" : removed ? "dropped" : "kept";
        const Tag = added ? "ins" : removed ? "del" : "span";
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name, and never move
          <Tag key={index} data-change={kind}>
            {value}
          </Tag>
        );
      })}
    </section>
  );
}
