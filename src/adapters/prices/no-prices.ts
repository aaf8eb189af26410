import type { PriceTable } from "../../application/ports/price-table.js";

/** A table in which no model has a price. */
export const NO_PRICES: PriceTable = {
  source: undefined,
  load: async () => () => undefined,
};
