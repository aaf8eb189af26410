import { type FormEvent, useState } from "react";
import { goTo } from "../../app/address-store.js";
import { type AddressQuery, whyAddress } from "../../model/address/address.js";
import { WHY_STRINGS as strings } from "../../strings/why-strings.js";
import styles from "./why-view.module.css";

/** Limit of the API, in characters. */
const MOST_OF_TEXT = 4_000;

export function WhyForm({ query }: { readonly query: AddressQuery }) {
  const [file, setFile] = useState(query.file ?? "");
  const [line, setLine] = useState(query.line ?? "");
  const [toLine, setToLine] = useState(query.toLine ?? "");
  const [text, setText] = useState(query.text ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    goTo(
      whyAddress({ ...query, file, text, line: text === "" ? line : "", toLine: text === "" ? toLine : "" }),
    );
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <label className={styles.file}>
        {strings.file}
        <input
          type="text"
          required
          maxLength={1_000}
          placeholder={strings.filePlaceholder}
          value={file}
          onChange={(event) => setFile(event.currentTarget.value)}
        />
      </label>
      <label>
        {strings.line}
        <input
          type="text"
          inputMode="numeric"
          pattern="[1-9][0-9]*"
          value={line}
          onChange={(event) => setLine(event.currentTarget.value)}
        />
      </label>
      <label>
        {strings.toLine}
        <input
          type="text"
          inputMode="numeric"
          pattern="[1-9][0-9]*"
          aria-label={strings.toLineLabel}
          value={toLine}
          onChange={(event) => setToLine(event.currentTarget.value)}
        />
      </label>
      <label className={styles.text}>
        {strings.text}
        <textarea
          rows={2}
          maxLength={MOST_OF_TEXT}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{strings.ask}</button>
    </form>
  );
}
