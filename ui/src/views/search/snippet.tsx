import type { SearchHit } from "../../../../src/domain/search/search-hit.js";
import { withoutTerminalCodes } from "../../../../src/domain/text/preview-text.js";
import styles from "./snippet.module.css";

export function Snippet({ snippet: { text, start, end } }: Pick<SearchHit, "snippet">) {
  return (
    <bdi className={styles.snippet}>
      {withoutTerminalCodes(text.slice(0, start))}
      <mark>{withoutTerminalCodes(text.slice(start, end))}</mark>
      {withoutTerminalCodes(text.slice(end))}
    </bdi>
  );
}
