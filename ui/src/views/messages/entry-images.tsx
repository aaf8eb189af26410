import { TEXTS } from "../../texts.js";
import styles from "./message-entry.module.css";

const { messages: texts } = TEXTS;

/** Images that lie inside a message, folded. One that lies elsewhere is named, never loaded. */
export function EntryImages({ images }: { readonly images: readonly string[] }) {
  return images.map((source, index) =>
    source.startsWith("data:image/") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: images of a message have no other name, and never move
      <details key={index} className={styles.image}>
        <summary>{texts.openImage}</summary>
        <img src={source} alt={texts.image} />
      </details>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <p key={index} className={styles.remote}>
        {texts.remoteImage}: <code>{source.slice(0, 200)}</code>
      </p>
    ),
  );
}
