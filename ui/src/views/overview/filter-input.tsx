import { useEffect, useRef } from "react";
import { useKeys } from "../../app/use-keys.js";
import { OVERVIEW_STRINGS as strings } from "../../strings/overview-strings.js";
import styles from "./overview.module.css";

interface FilterInputProps {
  readonly filter: string;
  onApply(filter: string): void;
}

/** Which sessions are added up. It is applied with Enter, and where the field is left. */
export function FilterInput({ filter, onApply }: FilterInputProps) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ f: () => field.current?.focus() });
  useEffect(() => {
    if (field.current !== null) field.current.value = filter;
  }, [filter]);
  const apply = () => {
    const text = field.current?.value.trim() ?? "";
    if (text !== filter) onApply(text);
  };
  return (
    <form
      className={styles.filter}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label={strings.filter}
        placeholder={strings.filterHint}
        defaultValue={filter}
        spellcheck={false}
        onBlur={apply}
      />
    </form>
  );
}
