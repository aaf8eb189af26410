import { useMemo } from "react";
import { terminalRuns } from "../../model/text/terminal-text.js";
import styles from "./terminal-text.module.css";

export default function TerminalText({ text }: { readonly text: string }) {
  const runs = useMemo(() => terminalRuns(text), [text]);
  return runs.map(({ text: piece, style }, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a text have no other name, and never move
      key={index}
      className={styles.run}
      data-colour={style.colour}
      data-ground={style.background}
      data-bold={style.bold}
      data-italic={style.italic}
      data-underline={style.underline}
    >
      {piece}
    </span>
  ));
}
