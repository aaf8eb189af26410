import type { FilterProblem } from "../../../../src/domain/filter/filter-problem.js";
import { FILTER_STRINGS as strings } from "../../strings/filter-strings.js";
import styles from "./filter-bar.module.css";

interface FilterProblemLineProps {
  readonly id: string;
  readonly problem: FilterProblem & { readonly text: string };
  /** Receives a text with the nearest valid name. Absent without such a name. */
  readonly onMend: ((text: string) => void) | undefined;
}

export function FilterProblemLine({ id, problem, onMend }: FilterProblemLineProps) {
  const { text, at, length, message, nearest } = problem;
  const end = at + length;
  return (
    <p id={id} role="alert" className={styles.problem}>
      <code>
        {text.slice(0, at)}
        <u>{text.slice(at, end)}</u>
        {text.slice(end)}
      </code>
      <span>{message}</span>
      {nearest !== undefined && onMend !== undefined && (
        <button
          type="button"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onMend(text.slice(0, at) + nearest + text.slice(end))}
        >
          {strings.instead(nearest)}
        </button>
      )}
    </p>
  );
}
