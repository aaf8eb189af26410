import { Suspense, useContext, useMemo, useState } from "react";
import { SearchedText } from "../../app/searched-text.js";
import { hasMarkdown, markdownBlocks } from "../../model/text/markdown-blocks.js";
import { isNestedTooDeep } from "../../model/text/markdown-nesting.js";
import { STRINGS } from "../../strings/strings.js";
import { lazyView } from "../parts/lazy-view.js";
import styles from "./formatted-text.module.css";
import { TextBlock } from "./text-block.js";

const Markdown = lazyView(() => import("./markdown.js"));

const MAX_LENGTH = 30_000;

/** With a switch to raw text. A text with a search hit is displayed raw. */
export default function FormattedText({ text }: { readonly text: string }) {
  const isSearched = useContext(SearchedText) !== "";
  const canFormat = useMemo(
    () => text.length <= MAX_LENGTH && hasMarkdown(text) && !isNestedTooDeep(text),
    [text],
  );
  const [asWritten, setAsWritten] = useState(isSearched);
  const blocks = useMemo(() => (canFormat ? markdownBlocks(text) : []), [canFormat, text]);
  if (!canFormat) return <TextBlock text={text} />;
  return (
    <div className={styles.formatted}>
      {asWritten ? (
        <TextBlock text={text} />
      ) : (
        <Suspense fallback={<TextBlock text={text} />}>
          {blocks.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text have no other name, and never move
            <Markdown key={index} text={block} />
          ))}
        </Suspense>
      )}
      <button type="button" onClick={() => setAsWritten(!asWritten)}>
        {asWritten ? STRINGS.texts.format : STRINGS.texts.raw}
      </button>
    </div>
  );
}
