import { useId, useMemo, useState } from "react";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { visibleText } from "../../../../src/domain/text/visible-text.js";
import type { ExportFinding } from "../../engine/share/read-export.js";
import { imageIn, maskedValue, withoutValues } from "../../model/share/reviewed-findings.js";
import { SHARE_STRINGS as strings } from "../../strings/share-strings.js";
import styles from "./findings.module.css";

interface FindingRowProps {
  readonly finding: ExportFinding;
  readonly stays: boolean;
  readonly hidden: readonly string[];
  onDecide(stays: boolean): void;
}

export function FindingRow({ finding, stays, hidden, onDecide }: FindingRowProps) {
  const { id, rule, value, length, stub, count, places } = finding;
  const [isVisible, setVisible] = useState(false);
  const name = useId();
  const image = imageIn(value);
  const [first, ...others] = places;
  return (
    <li className={styles.finding} data-stays={stays}>
      <input
        type="checkbox"
        checked={!stays}
        aria-label={strings.removeOne(id)}
        aria-describedby={name}
        onChange={() => onDecide(!stays)}
      />
      <div>
        <p id={name} className={styles.value}>
          {image === undefined ? (
            <code>{isVisible ? visibleText(value) : maskedValue(visibleText(value))}</code>
          ) : (
            <img src={image} alt={strings.imageOf(id)} />
          )}
          {image === undefined && (
            <button
              type="button"
              aria-label={isVisible ? strings.hideValue(id) : strings.showValue(id)}
              aria-pressed={isVisible}
              onClick={() => setVisible(!isVisible)}
            >
              {isVisible ? strings.hide : strings.show}
            </button>
          )}
          <small>
            {strings.length(formatCount(length))}, {strings.occurrences(formatCount(count))}
            {rule === "image" && ` · ${strings.imageWarning}`}
          </small>
        </p>
        {first !== undefined && <Place place={first} hidden={hidden} stub={stays ? undefined : stub} />}
        {others.length > 0 && (
          <details>
            <summary>{strings.places(formatCount(others.length))}</summary>
            {others.map((place, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two places may be alike, and none moves
              <Place key={at} place={place} hidden={hidden} stub={stays ? undefined : stub} />
            ))}
          </details>
        )}
      </div>
    </li>
  );
}

interface PlaceProps {
  readonly place: ExportFinding["places"][number];
  readonly hidden: readonly string[];
  /** Replacement in the file; `undefined` for the value itself. */
  readonly stub: string | undefined;
}

function Place({ place: { where, before, after }, hidden, stub }: PlaceProps) {
  const around = useMemo(
    () => [before, after].map((text) => visibleText(withoutValues(text, hidden))),
    [before, after, hidden],
  );
  return (
    <p className={styles.place}>
      <small>{visibleText(where)}</small>
      <q>
        {around[0]}
        {stub === undefined ? <mark>{strings.exception}</mark> : <ins>{visibleText(stub)}</ins>}
        {around[1]}
      </q>
    </p>
  );
}
