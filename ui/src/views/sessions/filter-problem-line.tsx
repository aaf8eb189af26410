import type { FilterProblem } from "../../../../src/domain/filter/filter-problem.js";
import { FILTER_STRINGS as strings } from "../../strings/filter-strings.js";
import styles from "./filter-bar.module.css";

interface FilterProblemLineProps {
  readonly id: string;
  /** With the text that it is in. */
  readonly problem: FilterProblem & { readonly text: string };
  /** Takes the text with the nearest name in the place of the wrong one. Absent where it cannot be mended so. */
  readonly onMend: ((text: string) => void) | undefined;
}

/** What is wrong with a filter, and where. */
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
