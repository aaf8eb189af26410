import { Section } from "./section.js";
import styles from "./summary.module.css";

export function SkeletonLines({ count }: { readonly count: number }) {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <span key={i} />
      ))}
    </div>
  );
}

export function SkeletonSection({ title, lines }: { readonly title: string; readonly lines: number }) {
  return (
    <Section title={title} isBusy>
      <SkeletonLines count={lines} />
    </Section>
  );
}
