import type { PriceTable } from "../../../application/ports/price-table.js";
import { takeFile, takeValue } from "./option-file.js";
import type { CommandLineParts } from "./parts.js";

export interface PriceOptions {
  /** A file; `false` disables prices. Default is the bundled prices. */
  readonly prices?: string | false | undefined;
}

/**
 * @param brought prices of the histories, if the options set none
 * @throws CommandLineError for a file that cannot be read, or without prices: it names the line or the member
 */
export function pricesIn(
  { prices: file }: PriceOptions,
  parts: Pick<CommandLineParts, "pricesOf">,
  brought?: unknown,
): Promise<PriceTable> {
  if (file === false) return parts.pricesOf(false);
  if (file !== undefined) return takeFile(file, "prices", parts.pricesOf);
  const advice = " Name others with --prices, or none with --no-prices.";
  return takeValue("The prices in what is opened", () => parts.pricesOf(brought), advice);
}
