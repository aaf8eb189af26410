import styles from "./overview.module.css";

interface OptionsProps<Name extends string> {
  readonly label: string;
  readonly options: readonly Name[];
  readonly names: { readonly [name in Name]: string };
  readonly chosen: Name;
  onChoose(name: Name): void;
}

export function Options<Name extends string>({
  label,
  options,
  names,
  chosen,
  onChoose,
}: OptionsProps<Name>) {
  return (
    <fieldset className={styles.options}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((name) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {names[name]}
        </button>
      ))}
    </fieldset>
  );
}
