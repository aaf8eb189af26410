import { formatCount } from "../../../../src/domain/text/figures.js";
import type { FilterSuggestion } from "../../model/filter/filter-suggestions.js";
import { FILTER_STRINGS as strings } from "../../strings/filter-strings.js";
import styles from "./filter-bar.module.css";

interface FilterOptionsProps {
  readonly id: string;
  readonly says: string | undefined;
  readonly offered: readonly FilterSuggestion[];
  readonly active: number | undefined;
  onTake(index: number): void;
}

export function FilterOptions({ id, says, offered, active, onTake }: FilterOptionsProps) {
  return (
    <div className={styles.options}>
      {says !== undefined && <p aria-hidden="true">{says}</p>}
      {offered.length > 0 && (
        <div role="listbox" id={`${id}-list`} aria-label={strings.suggestions}>
          {offered.map(({ text, field, value, says: meaning, count }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            <div
              key={text}
              ref={(element) => {
                if (index === active) element?.scrollIntoView({ block: "nearest" });
              }}
              role="option"
              id={`${id}-${index}`}
              aria-selected={index === active}
              // A press would take the focus from the field before the click.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onTake(index)}
            >
              <span className={styles.value}>
                <span>{field}</span>
                {value}
              </span>
              <small>
                {meaning !== value && meaning}
                {count !== undefined && count > 0 && (
                  <span>
                    {meaning !== value && meaning !== "" && " · "}
                    {strings.inSessions(formatCount(count))}
                  </span>
                )}
              </small>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
