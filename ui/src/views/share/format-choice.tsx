import { SHARE_STRINGS as strings } from "../../strings/share-strings.js";
import styles from "./share-dialog.module.css";

export type SharedFormat = keyof typeof strings.formats;

const FORMATS = Object.keys(strings.formats) as SharedFormat[];

interface FormatChoiceProps {
  readonly format: SharedFormat;
  onFormat(format: SharedFormat): void;
}

export function FormatChoice({ format, onFormat }: FormatChoiceProps) {
  return (
    <fieldset className={styles.formats}>
      <legend>{strings.format}</legend>
      {FORMATS.map((name) => (
        <label key={name}>
          <input type="radio" name="format" checked={name === format} onChange={() => onFormat(name)} />{" "}
          {strings.formats[name][0]}
        </label>
      ))}
      <p>{strings.formats[format][1]}</p>
    </fieldset>
  );
}
