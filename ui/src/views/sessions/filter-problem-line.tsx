import type { FilterProblem } from "../../../../src/domain/filter/filter-problem.js";
import { FILTER_STRINGS as strings } from "../../strings/filter-strings.js";
import styles from "./filter-bar.module.css";

interface FilterProblemLineProps {
  readonly id: string;
  /** With the text that it is in. */
  readonly problem: FilterProblem & { readonly text: string };
  /** Receives the text with the nearest valid name instead of the wrong name. Absent if there is no such correction. */
  readonly onMend: ((text: string) => void) | undefined;
}

/** Problem of a filter, and its position. */
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
