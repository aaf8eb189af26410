import styles from "./skeleton.module.css";

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

const WIDTHS = [62, 88, 74, 93, 55, 81, 68, 47];
