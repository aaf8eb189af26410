import styles from "./skeleton.module.css";

/** Placeholder of loading content: a text that appears after a moment, and the room of its lines. */
export function Skeleton({ label }: { readonly label: string }) {
  return (
    <div className={styles.skeleton}>
      <p role="status">{label}</p>
      <div aria-hidden="true">
        {WIDTHS.map((width) => (
          <i key={width} style={{ width: `${width}%` }} />
        ))}
      </div>
    </div>
  );
}

/** Of the lines, each another. */
const WIDTHS = [62, 88, 74, 93, 55, 81, 68, 47];
