interface ChoiceProps {
  readonly label: string;
  /** The label of the option that chooses none. */
  readonly all: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label?: string }[];
  onChoose(value: string): void;
}

/** One of several, or all. A value that is in the address stays choosable, whether or not it is known. */
export function Choice({ label, all, value, options, onChoose }: ChoiceProps) {
  const known = value === "" || options.some((option) => option.value === value);
  return (
    <select
      aria-label={label}
      value={value}
      data-chosen={value !== ""}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {!known && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label ?? option.value}
        </option>
      ))}
    </select>
  );
}
