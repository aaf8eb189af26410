import type { RatesOf } from "../../domain/money.js";

/** What models cost. */
export interface PriceTable {
  /** Reads the table, once: it is asked for when the first price is. */
  load(): Promise<RatesOf>;
}
