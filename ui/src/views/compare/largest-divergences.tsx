import type { Divergence } from "../../../../src/domain/compare/step-comparison.js";
import { changeAddress } from "../../app/address-store.js";
import { type AddressQuery, changeQuery } from "../../model/address/address.js";
import {
  type DeltaMeasure,
  dollarsMore,
  largestDivergences,
  timeMore,
} from "../../model/compare/step-deltas.js";
import { STEP_STRINGS as strings } from "../../strings/step-strings.js";
import styles from "./largest-divergences.module.css";

const MOST = 8;

interface LargestDivergencesProps {
  readonly divergences: readonly Divergence[];
  readonly query: AddressQuery;
  readonly current: number | undefined;
  onChoose(divergence: number): void;
}

export function LargestDivergences({ divergences, query, current, onChoose }: LargestDivergencesProps) {
  const by: DeltaMeasure = query.by === "time" ? "ms" : "usd";
  const largest = largestDivergences(divergences, by, MOST);
  const choose = (measure: string) => changeAddress(changeQuery(query, { by: measure }));
  return (
    <div className={styles.largest}>
      <header>
        <h3>{strings.largest}</h3>
        <div role="group" aria-label={strings.by}>
          <button type="button" aria-pressed={by === "usd"} onClick={() => choose("")}>
            {strings.measures.usd}
          </button>
          <button type="button" aria-pressed={by === "ms"} onClick={() => choose("time")}>
            {strings.measures.ms}
          </button>
        </div>
      </header>
      {largest.length === 0 ? (
        <p>{strings.noneLarger}</p>
      ) : (
        <ol aria-label={strings.largest}>
          {largest.map((i) => (
            <li key={i}>
              <button type="button" aria-current={i === current} onClick={() => onChoose(i)}>
                <b>{(by === "usd" ? dollarsMore : timeMore)(divergences[i]!.used)}</b>{" "}
                <span>{nameOf(divergences[i]!)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function nameOf({ sides: [a, b] }: Divergence): string {
  const step = a ?? b;
  if (step === null) return "";
  return `${step.toolName ?? strings.kinds[step.kind]} ${step.text}`;
}
