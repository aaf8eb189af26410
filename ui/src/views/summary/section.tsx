import { type ReactNode, useId } from "react";
import type { SessionSummary } from "../../../../src/domain/summary/session-summary.js";
import { goTo } from "../../app/address-store.js";
import { changeQuery, type SessionRoute, sessionAddress } from "../../model/address/address.js";
import styles from "./summary.module.css";

export interface SummaryProps {
  readonly route: SessionRoute;
  readonly summary: SessionSummary;
}

interface SectionProps {
  readonly title: string;
  readonly mark?: string | undefined;
  readonly hint?: string | undefined;
  readonly tools?: ReactNode;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

export function Section({ title, mark, hint, tools, isBusy = false, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id} aria-busy={isBusy || undefined}>
      <div className={styles.title}>
        <h2 id={id}>{title}</h2>
        {mark && <b className={styles.mark}>{mark}</b>}
        {tools}
      </div>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {children}
    </section>
  );
}

/** From the entry of the address; the first one without a valid entry. */
export function useGrouping<Name extends string>(
  route: SessionRoute,
  entry: "by" | "cost",
  names: { readonly [name in Name]: string },
): readonly [chosen: Name, choose: (name: Name) => void] {
  const all = Object.keys(names) as Name[];
  const chosen = all.find((name) => name === route.query[entry]) ?? all[0]!;
  const choose = (name: Name) => {
    const query = changeQuery(route.query, { [entry]: name === all[0] ? undefined : name });
    goTo(sessionAddress(route, "summary", query), true);
  };
  return [chosen, choose];
}

interface GroupingProps<Name extends string> {
  readonly label: string;
  readonly names: { readonly [name in Name]: string };
  readonly chosen: Name;
  onChoose(name: Name): void;
}

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
