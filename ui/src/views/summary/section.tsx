import { type ReactNode, useId } from "react";
import type { SessionSummary } from "../../../../src/domain/analysis/session-summary.js";
import type { SessionRoute } from "../../model/address.js";
import styles from "./summary.module.css";

/** What each section is made of. */
export interface SummaryProps {
  readonly route: SessionRoute;
  readonly summary: SessionSummary;
}

interface SectionProps {
  readonly title: string;
  readonly hint?: string;
  /** Beside the title. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, hint, tools, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.title}>
        <h2 id={id}>{title}</h2>
        {tools}
      </div>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {children}
    </section>
  );
}

interface GroupingProps<Name extends string> {
  readonly label: string;
  readonly names: { readonly [name in Name]: string };
  readonly chosen: Name;
  onChoose(name: Name): void;
}

/** By what the rows of a table are put together. */
export function Grouping<Name extends string>({ label, names, chosen, onChoose }: GroupingProps<Name>) {
  return (
    <fieldset className={styles.grouping}>
      <legend className="visually-hidden">{label}</legend>
      {(Object.keys(names) as Name[]).map((name) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {names[name]}
        </button>
      ))}
    </fieldset>
  );
}
