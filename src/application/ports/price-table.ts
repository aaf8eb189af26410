import type { RatesOf } from "../../domain/money.js";

/** What models cost. It is loaded when something asks for the first price; no table asks a network for one. */
export interface PriceTable {
  /** Where its prices come from, for people; `undefined` of a table without any. */
  readonly source: string | undefined;

  /** The prices, to be looked up many thousand times. A second call gives the same. */
  load(): Promise<RatesOf>;
}
