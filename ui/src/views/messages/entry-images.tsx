import { STRINGS } from "../../strings.js";
import styles from "./message-entry.module.css";

const { messages: strings } = STRINGS;

/** Images that lie inside a message, folded. One that lies elsewhere is named, never loaded. */
export function EntryImages({ images }: { readonly images: readonly string[] }) {
  return images.map((source, index) =>
    source.startsWith("data:image/") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: images of a message have no other name, and never move
      <details key={index} className={styles.image}>
        <summary>{strings.openImage}</summary>
        <img src={source} alt={strings.image} />
      </details>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <p key={index} className={styles.remote}>
        {strings.remoteImage}: <code>{source.slice(0, 200)}</code>
      </p>
    ),
  );
}
